/*
 * The bytes of a device's head and of its chunks (docs/sync.md, section 2.1). A chunk lists records that the device wrote;
 * the head lists the chunks. This file has the layout alone: sealing is messages.ts, and what they prove is verify.ts.
 */
import { concat, fromHex, u16be, u64be, utf8 } from '../../crypto/bytes.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { SyncError } from '../errors.ts';
import { prefixed } from './record.ts';

/** The first 8 bytes of an HMAC-SHA-256 under `digestKey`, as 16 lower-case hexadecimal digits. */
export type Digest = string;

/** What is known of one record. */
export interface Entry {
  /** Of the record's id in UTF-8. */
  readonly id: Digest;
  /** Of the payload's text in UTF-8; null: the record was deleted. */
  readonly record: Digest | null;
  readonly generation: number;
}

/** A device's list at one time. */
export interface Head {
  /** Heads of the device so far, this one included. */
  readonly count: number;
  /** Digests of the texts of the heads before, the newest first: all, or HEADS_BEFORE. */
  readonly before: readonly Digest[];
  /** Digests of the texts of the chunks, by their numbers. */
  readonly chunks: readonly Digest[];
}

/** A part of a device's list. */
export interface Chunk {
  /** `count` of the head that was made with it. */
  readonly count: number;
  /** Digests of the texts of the chunks with this number before, the newest first, at most CHUNKS_BEFORE. */
  readonly before: readonly Digest[];
  /** Ordered by id, each id once. */
  readonly entries: readonly Entry[];
}

/** Length of a digest in bytes. */
const DIGEST_BYTES = 8;
/** A head says which it follows, for devices that have not seen up to so many of them. */
export const HEADS_BEFORE = 64;
/** A chunk says the same: it may be on the server before its head, and heads may be lost there. */
export const CHUNKS_BEFORE = 8;
/** So that a sealed chunk has at most MAX_CHUNK_CHARACTERS. */
export const MAX_ENTRIES = 180;
/** They list 20,160 records. */
export const MAX_CHUNKS = 112;
/** Of the text of a sealed chunk, and of a sealed head; both are in ASCII. */
export const MAX_CHUNK_CHARACTERS = 6000;

const HEAD = 1;
const CHUNK = 2;
const ENTRY_BYTES = 3 * DIGEST_BYTES;
/** In the place of the digest of a record that was deleted. */
const DELETED: Digest = '0000000000000000';

const ID = /^sealwright-head-([0-9a-f]{16})(?:-(0|[1-9][0-9]{0,2}))?$/;

/** The id of a device's head as a record. @param device 16 hexadecimal digits */
export const headId = (device: string): string => `sealwright-head-${device}`;
/** The id of a device's chunk as a record. */
export const chunkId = (device: string, number: number): string => `${headId(device)}-${number}`;

/** @returns undefined for the id of neither; without `number` for that of a head */
export function readHeadId(
  id: string,
): { readonly device: string; readonly number: number | undefined } | undefined {
  const [, device, number] = ID.exec(id) ?? [];
  return device === undefined
    ? undefined
    : { device, number: number === undefined ? undefined : Number(number) };
}

/** Associated data: "SWM1 sync head" ‖ u16 length ‖ collection ‖ u16 length ‖ id, texts in UTF-8. */
export function headContext(collection: string, id: string): Uint8Array<ArrayBuffer> {
  return concat(utf8('SWM1 sync head'), prefixed(collection), prefixed(id));
}

/**
 * The key of all digests in a collection. Somebody who may choose ids of records cannot make two with one digest.
 *
 * @param first the named key of the first generation, 32 bytes: digests stay what they are when the key is rotated
 * @returns 32 bytes
 */
export function digestKey(first: Uint8Array, collection: string): Uint8Array {
  return hkdfExpand(SHA512, first, concat(utf8('SWM1 sync digest'), prefixed(collection)), 32);
}

/** @param tag at least 8 bytes, of which these are the digest */
export function digestOf(tag: Uint8Array): Digest {
  return hexAt(new DataView(tag.buffer, tag.byteOffset), 0);
}

/** 01 ‖ count u64 ‖ u8 ‖ digests before ‖ u16 ‖ digests of chunks. */
export function encodeHead({ count, before, chunks }: Head): Uint8Array<ArrayBuffer> {
  const start = [Uint8Array.of(HEAD), u64be(count), Uint8Array.of(before.length)];
  return concat(...start, ...before.map(fromHex), u16be(chunks.length), ...chunks.map(fromHex));
}

/** 02 ‖ count u64 ‖ u8 ‖ digests before ‖ entries of 24 bytes: id, record, generation u64. */
export function encodeChunk({ count, before, entries }: Chunk): Uint8Array<ArrayBuffer> {
  const start = [Uint8Array.of(CHUNK), u64be(count), Uint8Array.of(before.length)];
  const listed = entries.map(({ id, record, generation }) =>
    concat(fromHex(id), fromHex(record ?? DELETED), u64be(generation)),
  );
  return concat(...start, ...before.map(fromHex), ...listed);
}

/** @throws SyncError BAD_RECORD for what `encodeHead` does not write: a later version may */
export function decodeHead(content: Uint8Array): Head {
  const reader = new Reader(content);
  const start = reader.start(HEAD, HEADS_BEFORE);
  const chunks = reader.digests(reader.u16());
  const isWhole = start.before.length === Math.min(HEADS_BEFORE, start.count - 1);
  if (!isWhole || chunks.length > MAX_CHUNKS || reader.left > 0) throw unreadable();
  return { ...start, chunks };
}

/** @throws SyncError BAD_RECORD for what `encodeChunk` does not write */
export function decodeChunk(content: Uint8Array): Chunk {
  const reader = new Reader(content);
  const start = reader.start(CHUNK, CHUNKS_BEFORE);
  if (reader.left % ENTRY_BYTES !== 0 || reader.left > MAX_ENTRIES * ENTRY_BYTES) {
    throw unreadable();
  }
  const entries: Entry[] = [];
  let last = '';
  while (reader.left > 0) {
    const id = reader.digest();
    const record = reader.digest();
    if (id <= last) throw unreadable();
    last = id;
    entries.push({ id, record: record === DELETED ? null : record, generation: reader.u64() });
  }
  return { ...start, entries };
}

class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#view = new DataView(buffer, byteOffset, byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  start(kind: number, most: number): Pick<Head, 'count' | 'before'> {
    if (this.#view.getUint8(this.#taken(1)) !== kind) throw unreadable();
    const count = this.u64();
    const length = this.#view.getUint8(this.#taken(1));
    if (count === 0 || length > most) throw unreadable();
    return { count, before: this.digests(length) };
  }

  digests(length: number): Digest[] {
    return Array.from({ length }, () => this.digest());
  }

  digest(): Digest {
    return hexAt(this.#view, this.#taken(DIGEST_BYTES));
  }

  u16(): number {
    return this.#view.getUint16(this.#taken(2));
  }

  u64(): number {
    const value = Number(this.#view.getBigUint64(this.#taken(8)));
    if (!Number.isSafeInteger(value)) throw unreadable();
    return value;
  }

  #taken(bytes: number): number {
    if (this.left < bytes) throw unreadable();
    this.#at += bytes;
    return this.#at - bytes;
  }
}

function hexAt(view: DataView, at: number): Digest {
  return view.getBigUint64(at).toString(16).padStart(16, '0');
}

function unreadable(): SyncError {
  return new SyncError('BAD_RECORD', 'heads: expected heads and chunks of this version');
}
