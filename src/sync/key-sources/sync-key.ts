import { utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { sha1, SHA1 } from '../../crypto/hash/legacy/sha1.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { pbkdf2 } from '../../crypto/kdf/pbkdf2.ts';
import { BUNDLE_BYTES, bundleOf } from '../key-bundle.ts';
import type { KeyBundle } from '../key-bundle.ts';

/*
 * Sync 1.1 (Firefox 4 to 28): the account's bundle is derived from a Sync Key of 16 random bytes,
 * which users see and type as 26 Base32 characters.
 */

/** Length of a Sync Key. */
export const SYNC_KEY_BYTES = 16;
const SYNC_KEY_DIGITS = 26;
const INFO = 'Sync-AES_256_CBC-HMAC256';
const ROUNDS = 4096;

/** RFC 4648, table 3, in lower case. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** @param syncKey 16 bytes @returns the form that Firefox displays: "y-4nkps-6yxav-i75xn-uv9ds-r472i" */
export function showSyncKey(syncKey: Uint8Array): string {
  checkBytes('syncKey', syncKey, SYNC_KEY_BYTES);
  const digits = toBase32(syncKey).replaceAll('l', '8').replaceAll('o', '9');
  return [digits.slice(0, 1), ...(digits.slice(1).match(/.{5}/g) ?? [])].join('-');
}

/**
 * Reads a typed Sync Key: blanks and dashes anywhere, upper or lower case, `l` and `o` as well as 8
 * and 9.
 *
 * @returns 16 bytes, which the caller wipes
 * @throws RangeError if the text is not a Sync Key
 */
export function readSyncKey(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll(/[\s-]/g, '').toLowerCase();
  const bytes = fromBase32(digits.replaceAll('8', 'l').replaceAll('9', 'o'));
  if (digits.length !== SYNC_KEY_DIGITS || bytes === undefined) {
    throw new RangeError('syncKey: expected 26 letters and digits');
  }
  return bytes;
}

/** The user name on the server: a plain name in lower case, or Base32 of an e-mail address's SHA-1. */
export function syncUsername(account: string): string {
  const name = account.trim().toLowerCase();
  return /^[a-z0-9._-]+$/.test(name) ? name : toBase32(sha1(utf8(name)));
}

/**
 * Derives the key bundle with HKDF-Expand. The Sync Key is the PRK.
 *
 * @param syncKey 16 bytes
 * @param username as `syncUsername` gives it
 */
export function syncKeyBundle(syncKey: Uint8Array, username: string): KeyBundle {
  checkBytes('syncKey', syncKey, SYNC_KEY_BYTES);
  const bytes = hkdfExpand(SHA256, syncKey, utf8(INFO + username), BUNDLE_BYTES);
  try {
    return bundleOf(bytes);
  } finally {
    wipe(bytes);
  }
}

/**
 * The Sync Key that Firefox derived from the passphrase of an older account.
 *
 * @param syncId the Base64-decoded syncID of meta/global
 * @returns 16 bytes, which the caller wipes
 */
export function syncKeyOfPassphrase(passphrase: string, syncId: Uint8Array): Uint8Array {
  return pbkdf2(SHA1, utf8(passphrase), syncId, ROUNDS, SYNC_KEY_BYTES);
}

function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [pending, bits] = [0, 0];
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(pending >> (bits - 5)) & 31]!;
  }
  return bits === 0 ? text : text + BASE32[(pending << (5 - bits)) & 31]!;
}

/** @returns undefined for other characters, and if unused bits are not zero */
function fromBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let [pending, bits, length] = [0, 0, 0];
  for (const character of text) {
    const digit = BASE32.indexOf(character);
    if (digit < 0) return undefined;
    pending = ((pending << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes[length++] = pending >> (bits -= 8);
  }
  return (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}
