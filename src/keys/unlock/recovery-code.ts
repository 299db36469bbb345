import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';

/*
 * The recovery code: 128 random bits and a 12-bit checksum, as 28 symbols of Crockford's base32 in
 * seven groups of four, for example
 *
 *     7K3M-Q0ZT-2WXN-9F5D-HB8C-R4VJ-61YA
 *
 * People read it aloud and type it: letters of either case, I and L for 1, O for 0, spaces and any dashes
 * between the symbols or none. U is not a symbol. The checksum detects a mistyped code before it is
 * tried, except 1 in 4,096.
 */

/** 128 bits: enough without a slow KDF. */
const SECRET_BYTES = 16;
const CHECK_BITS = 12;
const SYMBOL_BITS = 5;
const SYMBOLS = (8 * SECRET_BYTES + CHECK_BITS) / SYMBOL_BITS;
/** Symbols in a group. */
export const GROUP_SYMBOLS = 4;
/** Groups of a code. */
export const GROUPS = SYMBOLS / GROUP_SYMBOLS;

/** Longer texts are not parsed. */
const TEXT_MAX_CHARACTERS = 200;

// https://www.crockford.com/base32.html
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Draws a code. @returns seven groups, joined by "-" */
export function newRecoveryCode(random: RandomSource): string {
  const secret = random.bytes(SECRET_BYTES);
  const code = encodeRecoveryCode(secret);
  wipe(secret);
  return code;
}

/** The code of a secret of 16 bytes. */
export function encodeRecoveryCode(secret: Uint8Array): string {
  let bits = 0n;
  for (const byte of secret) bits = (bits << 8n) | BigInt(byte);
  bits = (bits << BigInt(CHECK_BITS)) | BigInt(checksum(secret));
  const symbols = Array.from({ length: SYMBOLS }, (_, i) => {
    const shift = BigInt(SYMBOL_BITS * (SYMBOLS - 1 - i));
    return ALPHABET[Number((bits >> shift) & 31n)]!;
  });
  return symbols.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** The 16 secret bytes, which the caller wipes; undefined where this is not a recovery code. */
export function parseRecoveryCode(text: string): Uint8Array | undefined {
  const symbols = normalised(text);
  if (symbols.length !== SYMBOLS) return undefined;
  let bits = 0n;
  for (const symbol of symbols) {
    const value = ALPHABET.indexOf(symbol);
    if (value < 0) return undefined;
    bits = (bits << BigInt(SYMBOL_BITS)) | BigInt(value);
  }
  const secret = bytesOf(bits >> BigInt(CHECK_BITS));
  if (Number(bits & ((1n << BigInt(CHECK_BITS)) - 1n)) === checksum(secret)) return secret;
  wipe(secret);
  return undefined;
}

function normalised(text: string): string {
  if (typeof text !== 'string' || text.length > TEXT_MAX_CHARACTERS) return '';
  return text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0');
}

function bytesOf(secret: bigint): Uint8Array {
  return Uint8Array.from({ length: SECRET_BYTES }, (_, i) => {
    return Number((secret >> BigInt(8 * (SECRET_BYTES - 1 - i))) & 0xffn);
  });
}

/** The first 12 bits of SHA-256 over a label and the secret. */
function checksum(secret: Uint8Array): number {
  const hash = sha256(concat(utf8('SWM1 recovery code check\0'), secret));
  return (hash[0]! << 4) | (hash[1]! >> 4);
}
