/*
 * Keys in the texts of age (age-encryption.org/v1, "MLKEM768-X25519"): Bech32 (BIP 173) without its limit of length.
 * The seed and the KEM are those of a sharing key; the info of HPKE keeps age's files apart from messages of Sealwright.
 */
import { utf8 } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import type { KeyPairName } from '../wire/recipient-table.ts';

const SEED_BYTES = 32;
const PUBLIC_KEY_BYTES = 1216;

/** The recipient to which people who use age seal. @param publicKey of X-Wing, 1,216 bytes @returns "age1pq1…", 1,959 characters */
export function hybridRecipient(publicKey: Uint8Array): string {
  checkBytes('publicKey', publicKey, PUBLIC_KEY_BYTES);
  return bech32('age1pq', publicKey);
}

/** The identity that opens what came to that recipient. @param seed of X-Wing, 32 bytes @returns "AGE-SECRET-KEY-PQ-1…" */
export function hybridIdentity(seed: Uint8Array): string {
  checkBytes('seed', seed, SEED_BYTES);
  return bech32('age-secret-key-pq-', seed).toUpperCase();
}

/** A recipient's public key, or an identity's private one. */
export interface AgeKey {
  readonly type: KeyPairName;
  readonly key: Uint8Array;
}

/**
 * Reads a recipient.
 *
 * @returns the public key of "age1…" (X25519, 32 bytes) or "age1pq1…" (X-Wing, 1,216 bytes); undefined for any other text
 */
export function ageRecipientKey(text: string): AgeKey | undefined {
  return keyIn(text, RECIPIENTS);
}

/**
 * Reads an identity.
 *
 * @returns 32 fresh bytes of "AGE-SECRET-KEY-1…" (X25519) or "AGE-SECRET-KEY-PQ-1…" (X-Wing), which the caller wipes;
 *   undefined for any other text
 */
export function ageIdentityKey(text: string): AgeKey | undefined {
  return keyIn(text, IDENTITIES);
}

/** The kinds of keys by their prefixes, with the length of a key. */
type Kinds = ReadonlyMap<string, readonly [type: KeyPairName, bytes: number]>;

const RECIPIENTS: Kinds = /* @__PURE__ */ new Map([
  ['age', ['X25519', SEED_BYTES]],
  ['age1pq', ['X-Wing', PUBLIC_KEY_BYTES]],
]);
const IDENTITIES: Kinds = /* @__PURE__ */ new Map([
  ['age-secret-key-', ['X25519', SEED_BYTES]],
  ['age-secret-key-pq-', ['X-Wing', SEED_BYTES]],
]);

function keyIn(text: string, kinds: Kinds): AgeKey | undefined {
  const lower = text.toLowerCase();
  // BIP 173 refuses texts of both cases.
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const prefix = lower.slice(0, Math.max(0, lower.lastIndexOf('1')));
  const [type, bytes] = kinds.get(prefix) ?? [];
  if (type === undefined) return undefined;
  const key = fromFives(lower.slice(prefix.length + 1, -CHECKSUM_DIGITS));
  // The checksum, and every bit that fills the last digit, has one form.
  return key?.length === bytes && key && bech32(prefix, key) === lower ? { type, key } : undefined;
}

/** Whether hybrid recipients are among others, which would undo what they are for (age-encryption.org/v1). */
export function mixesRecipients(recipients: readonly string[]): boolean {
  const hybrid = recipients.filter((recipient) => /^age1(?:tag)?pq1/.test(recipient));
  return hybrid.length > 0 && hybrid.length < recipients.length;
}

/** The digits of 5 bits; the checksum's length; the polynomials of its code, by the bit that is shifted out. */
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_DIGITS = 6;
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** @param prefix in lower case, over which the checksum is computed in either case */
function bech32(prefix: string, bytes: Uint8Array): string {
  const values = inFives(bytes);
  const letters = utf8(prefix);
  const expanded = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)];
  const checksum =
    1 ^ remainder([...expanded, ...values, ...Array<number>(CHECKSUM_DIGITS).fill(0)]);
  const last = Array.from({ length: CHECKSUM_DIGITS }, (_, place) => {
    return (checksum >> (5 * (CHECKSUM_DIGITS - 1 - place))) & 31;
  });
  return `${prefix}1${[...values, ...last].map((value) => DIGITS[value]).join('')}`;
}

/** Groups of 5 bits, the last one filled with zeros. */
function inFives(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (held += 8; held >= 5; held -= 5) values.push((bits >> (held - 5)) & 31);
  }
  if (held > 0) values.push((bits << (5 - held)) & 31);
  return values;
}

/** @returns undefined for another character; bits that fill no byte are dropped */
function fromFives(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let [bits, held, at] = [0, 0, 0];
  for (const letter of text) {
    const value = DIGITS.indexOf(letter);
    if (value < 0) return undefined;
    bits = ((bits << 5) | value) & 0xfff;
    held += 5;
    if (held >= 8) bytes[at++] = bits >> (held -= 8);
  }
  return bytes;
}

function remainder(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATORS.entries()) {
      if ((top >> bit) & 1) rest ^= generator;
    }
  }
  return rest;
}
