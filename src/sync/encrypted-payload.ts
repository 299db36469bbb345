import { concat, equal } from '../crypto/bytes.ts';
import { AuthenticationError } from '../crypto/errors.ts';
import { ascii, base64Length, readBase64, writeBase64 } from './base64.ts';
import { SyncError } from './errors.ts';
import { membersIn } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import type { RecordCipher } from './record-cipher.ts';
import type { Settled } from './settled.ts';

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
const START = ascii('{"ciphertext":"');
const BEFORE_IV = ascii('","IV":"');
const BEFORE_TAG = ascii('","hmac":"');
const END = ascii('"}');
const PARTS_BYTES = START.length + BEFORE_IV.length + BEFORE_TAG.length + END.length;

/** One record's content, to be encrypted. */
export interface PayloadDraft {
  /** 16 bytes that nobody can predict, never twice under one bundle. */
  readonly iv: Uint8Array;
  readonly cleartext: Uint8Array;
  readonly bound?: Bound;
}

/**
 * The one canonical spelling, of many records at once.
 *
 * @returns JSON in ASCII, in the order of the drafts
 */
export async function sealPayloads(
  cipher: RecordCipher,
  drafts: readonly PayloadDraft[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const messages = drafts.map(({ iv, cleartext: data }) => ({ params: { iv }, data }));
  const encrypted = await cipher.encryptMany(messages);
  const written = drafts.map(({ iv, bound }, i) => writeUntagged(encrypted[i]!, iv, bound));
  const tags = await cipher.macMany(written.map(({ authenticated }) => authenticated));
  return written.map(({ payload, tagAt }, i) => {
    payload.set(END, writeHex(tags[i]!, payload, tagAt));
    return payload;
  });
}

interface Untagged {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly authenticated: Uint8Array;
  readonly tagAt: number;
}

/** All but the tag and what comes after it. */
function writeUntagged(encrypted: Uint8Array, iv: Uint8Array, bound: Bound): Untagged {
  const textBytes = base64Length(encrypted.length) + base64Length(IV_BYTES) + 2 * TAG_BYTES;
  const payload = new Uint8Array(PARTS_BYTES + textBytes);
  payload.set(START);
  const textEnd = writeBase64(encrypted, payload, START.length);
  payload.set(BEFORE_IV, textEnd);
  const ivAt = textEnd + BEFORE_IV.length;
  const ivEnd = writeBase64(iv, payload, ivAt);
  payload.set(BEFORE_TAG, ivEnd);
  const text = payload.subarray(START.length, textEnd);
  const authenticated = bound ? concat(bound(payload.subarray(ivAt, ivEnd)), text) : text;
  return { payload, authenticated, tagAt: ivEnd + BEFORE_TAG.length };
}

/**
 * Verifies, then decrypts.
 *
 * @param payloads JSON; further members are passed over, as every client does
 * @returns the cleartexts, which have still to be looked at, or AuthenticationError, in their order
 */
export async function openPayloads(
  cipher: RecordCipher,
  payloads: readonly ParsedPayload[],
): Promise<Settled<Uint8Array>[]> {
  const authenticated = payloads.map(({ text, ivText, bound }) =>
    bound ? concat(bound(ivText), text) : text,
  );
  const tags = await cipher.macMany(authenticated);
  return Promise.allSettled(payloads.map((payload, i) => openVerified(cipher, payload, tags[i]!)));
}

/** @param tag that is right @throws AuthenticationError */
async function openVerified(
  cipher: RecordCipher,
  { text, ivText, hmacText }: ParsedPayload,
  tag: Uint8Array,
): Promise<Uint8Array> {
  const expected = new Uint8Array(2 * TAG_BYTES);
  writeHex(tag, expected, 0);
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
  readonly bound?: Bound;
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
