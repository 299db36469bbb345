import { concat } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { Cleartext } from '../cleartext.ts';
import { ascii, base64Length, readBase64, writeBase64 } from '../base64.ts';
import { IV_BYTES, PARTS, TAG_BYTES, type ParsedPayload } from './parsed-payload.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { mapResultsTogether, resultOf } from '../results.ts';
import type { Result } from '../results.ts';
import { textsInUtf8 } from '../texts-in-utf8.ts';

/*
 * The payload of a Weave or Kinto record: JSON of {"ciphertext","IV","hmac"} in Base64 and lower-case
 * hexadecimal. The HMAC is computed over text, not bytes: over the Base64 of the ciphertext, in Kinto
 * records after id and IV (`bound`). Weave authenticates the ciphertext alone; docs/sync.md explains
 * the consequences.
 *
 * The records of a batch share arrays: one array for each record costs more than the work in it.
 */

/** Returns the text that is authenticated before the ciphertext. @param iv its Base64, as ASCII bytes */
export type Bound = ((iv: Uint8Array) => Uint8Array) | undefined;

const HEX = ascii('0123456789abcdef');
const [START, BEFORE_IV, BEFORE_TAG, END] = [
  ascii(PARTS[0]),
  ascii(PARTS[1]),
  ascii(PARTS[2]),
  ascii(PARTS[3]),
];
const PARTS_BYTES = PARTS.join('').length;

/** The content of one record, before encryption. */
export interface PayloadDraft {
  /** 16 unpredictable bytes, never used twice under one bundle. */
  readonly iv: Uint8Array;
  readonly cleartext: Cleartext;
  readonly bound?: Bound;
}

/**
 * Seals a batch of payloads in the canonical spelling.
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
  const untagged = placesFor(encrypted, drafts);
  const tags = await tagsOf(cipher, untagged);
  return untagged.map(({ payload, tagAt }, i) => {
    payload.set(END, writeHex(tags[i]!, payload, tagAt));
    return payload;
  });
}

/** PKCS#7 with AES blocks. */
const MOST_PADDING_BYTES = 16;

interface Untagged {
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array;
  /** The place of the ciphertext's Base64 in the payload. */
  readonly text: Uint8Array;
  readonly ivText: Uint8Array;
  readonly bound: Bound;
  readonly tagAt: number;
}

/** Writes everything but the Base64 of the ciphertexts and the tags. */
function placesFor(encrypted: readonly Uint8Array[], drafts: readonly PayloadDraft[]): Untagged[] {
  const lengths = encrypted.map(({ length }) => payloadLength(length));
  const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  return encrypted.map((ciphertext, i) => {
    const payload = all.subarray(at, (at += lengths[i]!));
    return writeOne(payload, ciphertext, drafts[i]!);
  });
}

/** Where nothing is authenticated before the ciphertext, its Base64 is made where it is hashed. */
async function tagsOf(
  cipher: RecordCipher,
  untagged: readonly Untagged[],
): Promise<readonly Uint8Array[]> {
  if (!untagged.some(({ bound }) => bound)) return cipher.macBase64Many(untagged);
  return cipher.macMany(
    untagged.map(({ data, text, ivText, bound }) => {
      writeBase64(data, text, 0);
      return bound ? concat(bound(ivText), text) : text;
    }),
  );
}

function payloadLength(ciphertextBytes: number): number {
  const texts = base64Length(ciphertextBytes) + base64Length(IV_BYTES) + 2 * TAG_BYTES;
  return PARTS_BYTES + texts;
}

function writeOne(
  payload: Uint8Array<ArrayBuffer>,
  data: Uint8Array,
  { iv, bound }: PayloadDraft,
): Untagged {
  payload.set(START);
  const textEnd = START.length + base64Length(data.length);
  payload.set(BEFORE_IV, textEnd);
  const ivAt = textEnd + BEFORE_IV.length;
  const ivEnd = writeBase64(iv, payload, ivAt);
  payload.set(BEFORE_TAG, ivEnd);
  return {
    payload,
    data,
    text: payload.subarray(START.length, textEnd),
    ivText: payload.subarray(ivAt, ivEnd),
    bound,
    tagAt: ivEnd + BEFORE_TAG.length,
  };
}

/**
 * Verifies and then decrypts a batch.
 *
 * @returns the cleartexts, not yet parsed, or AuthenticationError, in the order of the payloads
 */
export async function openPayloads(
  cipher: RecordCipher,
  payloads: readonly (ParsedPayload & { readonly bound?: Bound })[],
): Promise<Result<Uint8Array>[]> {
  const authenticated = payloads.map(({ text, ivText, bound }) =>
    bound ? concat(bound(ivText), text) : text,
  );
  const tags = await cipher.macMany(authenticated);
  const messages = payloads.map((payload, i) => resultOf(() => verified(payload, tags[i]!)));
  return mapResultsTogether(messages, (all) => cipher.decryptMany(all));
}

/**
 * @param tag the correct tag
 * @returns a message that is decrypted in place
 * @throws AuthenticationError
 */
function verified(
  { text, data = readBase64(text), ivText, hmacText }: ParsedPayload,
  tag: Uint8Array,
) {
  if (!isHexOf(hmacText, tag)) throw new AuthenticationError();
  const iv = readBase64(ivText);
  // Clients of 2010 wrote longer IVs and some readers accept any; Firefox accepts 16 bytes.
  if (!data || iv?.length !== IV_BYTES) throw new AuthenticationError();
  return { params: { iv }, data, into: data };
}

/** Compares text in constant time. Other spellings of the correct tag are refused, as in Firefox. */
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
