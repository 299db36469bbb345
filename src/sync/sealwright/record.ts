import { concat, u16be, u64be, utf8 } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { decodeJson } from '../cleartext.ts';
import { SyncError } from '../errors.ts';

/*
 * The record format of sync keys that this extension generates: an armored sealed message of purpose 6
 * (docs/format.md), bound to collection and id. This file defines the associated data and the content;
 * src/format seals.
 */

/** The content of a record: its payload and its generation. */
export interface SealwrightContent {
  readonly payload: unknown;
  /** The payload's JSON in UTF-8; made of `payload` if absent. */
  readonly json?: Uint8Array;
  /** From 0 on; increases with every change of the record. */
  readonly generation: number;
}

const GENERATION_BYTES = 8;

/** Characters of a record's id and of a collection's name; in UTF-8 both fit a u16 length. */
export const NAME_MAX_CHARACTERS = 512;

/** Associated data: "SWM1 sync" ‖ u16 length ‖ collection ‖ u16 length ‖ id, texts in UTF-8. */
export function sealwrightContext(collection: string, id: string): Uint8Array<ArrayBuffer> {
  return concat(utf8('SWM1 sync'), prefixed(collection), prefixed(id));
}

/**
 * The header key id. It is the same on every device with the key, so that devices need not exchange
 * it, and different in every collection.
 *
 * @param key the named key of one generation, 32 bytes
 * @returns 16 bytes
 */
export function sealwrightKeyId(key: Uint8Array, collection: string): Uint8Array {
  return hkdfExpand(SHA512, key, concat(utf8('SWM1 sync id'), prefixed(collection)), 16);
}

/** What is sealed: generation u64 ‖ JSON in UTF-8. */
export function encodeSealwrightContent({
  payload,
  json,
  generation,
}: SealwrightContent): Uint8Array<ArrayBuffer> {
  if (payload === undefined) throw new SyncError('BAD_CLEARTEXT', 'payload: expected JSON');
  return concat(u64be(generation), json ?? new TextEncoder().encode(JSON.stringify(payload)));
}

/**
 * Decodes the content of a record.
 *
 * @returns with `json`, a view of `content`
 * @param atLeast the newest generation that the caller has seen. An older record is refused as not
 *   authentic, so that a server cannot roll a record back
 * @throws AuthenticationError
 */
export function decodeSealwrightContent(
  content: Uint8Array,
  atLeast = 0,
): Required<SealwrightContent> {
  if (content.length < GENERATION_BYTES) throw new AuthenticationError();
  const { buffer, byteOffset } = content;
  const generation = Number(new DataView(buffer, byteOffset).getBigUint64(0));
  if (!Number.isSafeInteger(generation) || generation < atLeast) throw new AuthenticationError();
  const json = content.subarray(GENERATION_BYTES);
  return { payload: decodeJson(json), json, generation };
}

/** u16 length ‖ text, in UTF-8. */
export function prefixed(text: string): Uint8Array {
  const bytes = utf8(text);
  return concat(u16be(bytes.length), bytes);
}
