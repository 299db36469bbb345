import { concat, equal } from '../crypto/bytes.ts';
import { AuthenticationError } from '../crypto/errors.ts';
import { ascii, base64Length, readBase64, writeBase64 } from './base64.ts';
import { SyncError } from './errors.ts';
import { membersIn } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import type { RecordCipher } from './record-cipher.ts';

/*
 * What a Weave or Kinto record carries: JSON of {"ciphertext","IV","hmac"}, with Base64 and
 * lower-case hexadecimal. The HMAC is over text, not bytes: over the characters of the ciphertext,
 * in Kinto's records after id and IV (`bound`). In Weave's nothing but the ciphertext is
 * authenticated: docs/sync.md says what follows from that.
 */

/** Text that is authenticated in front of the ciphertext. @param iv its Base64, as ASCII bytes */
export type Bound = ((iv: Uint8Array) => Uint8Array) | undefined;

const IV_BYTES = 16;
const TAG_BYTES = 32;
const HEX = ascii('0123456789abcdef');
const PARTS = ['{"ciphertext":"', '","IV":"', '","hmac":"', '"}'].map(ascii);
const PARTS_BYTES = PARTS.reduce((sum, { length }) => sum + length, 0);

/**
 * The one canonical spelling.
 *
 * @param iv 16 bytes that nobody can predict, never twice under one bundle
 * @returns JSON in ASCII
 */
export async function sealPayload(
  cipher: RecordCipher,
  iv: Uint8Array,
  cleartext: Uint8Array,
  bound?: Bound,
): Promise<Uint8Array<ArrayBuffer>> {
  const encrypted = await cipher.encrypt(iv, cleartext);
  const textBytes = base64Length(encrypted.length) + base64Length(IV_BYTES) + 2 * TAG_BYTES;
  const payload = new Uint8Array(PARTS_BYTES + textBytes);
  const [start, afterText, afterIv, end] = PARTS as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  payload.set(start);
  let at = writeBase64(encrypted, payload, start.length);
  const text = payload.subarray(start.length, at);
  payload.set(afterText, at);
  const ivAt = at + afterText.length;
  at = writeBase64(iv, payload, ivAt);
  const ivText = payload.subarray(ivAt, at);
  payload.set(afterIv, at);
  const tag = await cipher.mac(bound ? concat(bound(ivText), text) : text);
  at = writeHex(tag, payload, at + afterIv.length);
  payload.set(end, at);
  return payload;
}

/**
 * Verifies, then decrypts.
 *
 * @param payload JSON; further members are passed over, as every client does
 * @returns the cleartext, which has still to be looked at
 * @throws SyncError BAD_RECORD for what has not got this shape, AuthenticationError for the rest
 */
export async function openPayload(
  cipher: RecordCipher,
  payload: ParsedPayload,
  bound?: Bound,
): Promise<Uint8Array> {
  const { text, ivText, hmacText } = payload;
  const computed = await cipher.mac(bound ? concat(bound(ivText), text) : text);
  const expected = new Uint8Array(2 * TAG_BYTES);
  writeHex(computed, expected, 0);
  // As text: any other spelling of the right tag is refused, as Firefox does.
  if (!equal(expected, hmacText)) throw new AuthenticationError();
  const [ciphertext, iv] = [readBase64(text), readBase64(ivText)];
  // Clients of 2010 had longer IVs, and some readers take any: Firefox takes 16 bytes, and so do we.
  if (!ciphertext || iv?.length !== IV_BYTES) throw new AuthenticationError();
  return cipher.decrypt(iv, ciphertext);
}

/** Nothing of it is verified yet. */
export interface ParsedPayload {
  /** The ciphertext's Base64. */
  readonly text: Uint8Array;
  readonly ivText: Uint8Array;
  readonly hmacText: Uint8Array;
}

/** @throws SyncError BAD_RECORD */
export function parsePayload(payload: string): ParsedPayload {
  const { ciphertext, IV, hmac }: JsonObject = membersIn(payload) ?? {};
  if (typeof ciphertext !== 'string' || typeof IV !== 'string' || typeof hmac !== 'string') {
    throw noPayload();
  }
  const [text, ivText, hmacText] = asciiOf(ciphertext, IV, hmac);
  return { text, ivText, hmacText };
}

/** At once, which is faster. @throws SyncError BAD_RECORD for what is no ASCII, so no Base64 either */
function asciiOf(
  ...texts: readonly [string, string, string]
): [Uint8Array, Uint8Array, Uint8Array] {
  const bytes = new TextEncoder().encode(texts.join(''));
  const [first, second, third] = texts.map(({ length }) => length) as [number, number, number];
  if (bytes.length !== first + second + third) throw noPayload();
  return [
    bytes.subarray(0, first),
    bytes.subarray(first, first + second),
    bytes.subarray(first + second),
  ];
}

function noPayload(): SyncError {
  return new SyncError('BAD_RECORD', 'payload: expected JSON of ciphertext, IV and hmac');
}

function writeHex(bytes: Uint8Array, target: Uint8Array, at: number): number {
  let to = at;
  for (let i = 0; i < bytes.length; i++) {
    target[to++] = HEX[bytes[i]! >> 4]!;
    target[to++] = HEX[bytes[i]! & 15]!;
  }
  return to;
}
