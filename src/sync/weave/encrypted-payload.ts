import { concat } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { ascii, base64Length, readBase64, writeBase64 } from '../base64.ts';
import { IV_BYTES, PARTS, TAG_BYTES, type ParsedPayload } from './parsed-payload.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { mapTogether, settled } from '../results.ts';
import type { Settled } from '../results.ts';
import { textsInUtf8 } from '../texts-in-utf8.ts';

/*
 * What a Weave or Kinto record carries: JSON of {"ciphertext","IV","hmac"}, with Base64 and
 * lower-case hexadecimal. The HMAC is over text, not bytes: over the characters of the ciphertext,
 * in Kinto's records after id and IV (`bound`). In Weave's nothing but the ciphertext is
 * authenticated: docs/sync.md says what follows from that.
 *
 * Many records share arrays at each step: an array for each costs more than what is done in it.
 */

/** Text that is authenticated in front of the ciphertext. @param iv its Base64, as ASCII bytes */
export type Bound = ((iv: Uint8Array) => Uint8Array) | undefined;

const HEX = ascii('0123456789abcdef');
const [START, BEFORE_IV, BEFORE_TAG, END] = [
  ascii(PARTS[0]),
  ascii(PARTS[1]),
  ascii(PARTS[2]),
  ascii(PARTS[3]),
];
const PARTS_BYTES = PARTS.join('').length;

/** One record's content, to be encrypted. */
export interface PayloadDraft {
  /** 16 bytes that nobody can predict, never twice under one bundle. */
  readonly iv: Uint8Array;
  readonly cleartext: string;
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
  const texts = textsInUtf8(
    drafts.map(({ cleartext }) => cleartext),
    MOST_PADDING_BYTES,
  );
  const messages = texts.map(({ bytes: data, room: into }, i) => {
    return { params: { iv: drafts[i]!.iv }, data, into };
  });
  const encrypted = await cipher.encryptMany(messages);
  const written = writeUntagged(encrypted, drafts);
  const tags = await cipher.macMany(written.map(({ authenticated }) => authenticated));
  return written.map(({ payload, tagAt }, i) => {
    payload.set(END, writeHex(tags[i]!, payload, tagAt));
    return payload;
  });
}

/** PKCS#7 of AES. */
const MOST_PADDING_BYTES = 16;

interface Untagged {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly authenticated: Uint8Array;
  readonly tagAt: number;
}

/** All but the tags and what comes after them. */
function writeUntagged(
  encrypted: readonly Uint8Array[],
  drafts: readonly PayloadDraft[],
): Untagged[] {
  const lengths = encrypted.map(({ length }) => payloadLength(length));
  const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  return encrypted.map((ciphertext, i) => {
    const payload = all.subarray(at, (at += lengths[i]!));
    return writeOne(payload, ciphertext, drafts[i]!);
  });
}

function payloadLength(ciphertextBytes: number): number {
  const texts = base64Length(ciphertextBytes) + base64Length(IV_BYTES) + 2 * TAG_BYTES;
  return PARTS_BYTES + texts;
}

function writeOne(
  payload: Uint8Array<ArrayBuffer>,
  ciphertext: Uint8Array,
  { iv, bound }: PayloadDraft,
): Untagged {
  payload.set(START);
  const textEnd = writeBase64(ciphertext, payload, START.length);
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
 * @returns the cleartexts, which have still to be looked at, or AuthenticationError, in their order
 */
export async function openPayloads(
  cipher: RecordCipher,
  payloads: readonly (ParsedPayload & { readonly bound?: Bound })[],
): Promise<Settled<Uint8Array>[]> {
  const authenticated = payloads.map(({ text, ivText, bound }) =>
    bound ? concat(bound(ivText), text) : text,
  );
  const tags = await cipher.macMany(authenticated);
  const room = new Uint8Array(payloads.reduce((sum, { text }) => sum + text.length, 0));
  let at = 0;
  const messages = payloads.map((payload, i) =>
    settled(() => {
      const message = verified(payload, tags[i]!, room.subarray(at));
      at += message.data.length;
      return message;
    }),
  );
  return mapTogether(messages, (all) => cipher.decryptMany(all));
}

/**
 * @param tag that is right
 * @param room for the ciphertext, which is decrypted there
 * @throws AuthenticationError
 */
function verified(
  { text, ivText, hmacText }: ParsedPayload,
  tag: Uint8Array,
  room: Uint8Array<ArrayBuffer>,
) {
  if (!isHexOf(hmacText, tag)) throw new AuthenticationError();
  const [data, iv] = [readBase64(text, room), readBase64(ivText)];
  // Clients of 2010 had longer IVs, and some readers take any: Firefox takes 16 bytes, and so do we.
  if (!data || iv?.length !== IV_BYTES) throw new AuthenticationError();
  return { params: { iv }, data, into: data };
}

/** Compared as text: any other spelling of the right tag is refused, as Firefox does. In constant time. */
function isHexOf(text: Uint8Array, tag: Uint8Array): boolean {
  if (text.length !== 2 * tag.length) return false;
  let differences = 0;
  for (let i = 0; i < tag.length; i++) {
    differences |= text[2 * i]! ^ HEX[tag[i]! >> 4]!;
    differences |= text[2 * i + 1]! ^ HEX[tag[i]! & 15]!;
  }
  return differences === 0;
}

function writeHex(bytes: Uint8Array, target: Uint8Array, at: number): number {
  let to = at;
  for (let i = 0; i < bytes.length; i++) {
    target[to++] = HEX[bytes[i]! >> 4]!;
    target[to++] = HEX[bytes[i]! & 15]!;
  }
  return to;
}
