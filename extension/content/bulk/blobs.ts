import { ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import type { BodyKeys } from '../../../src/format/chunks/body.ts';
import { parseEnvelope, prefixBytes } from '../../../src/format/wire/envelope.ts';
import type { Part } from '../../../src/format/wire/padding-filter.ts';
import { StreamOpener, StreamSealer } from '../../../src/format/chunks/stream.ts';
import { LARGE_CHUNK_BYTES, TAG_BYTES } from '../../../src/format/wire/sealed-length.ts';
import type { Call } from '../../../src/rpc/call.ts';
import type { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import { MAX_PREFIX_BYTES } from '../../../src/rpc/limits.ts';
import type { ParamsIn } from '../../../src/rpc/methods/method.ts';
import { bytesOf, slicesOf } from './blob-slices.ts';
import type { Leases } from './leases.ts';

type SealParams = ParamsIn<typeof CONTENT_METHODS, 'sealBlob'>;
type OpenParams = ParamsIn<typeof CONTENT_METHODS, 'openBlob'>;

/** Slices that are read, sealed and written at the same time. */
const WIDTH = 4;

/** The keys of one message to be opened, and its shape. */
export interface OpeningKeys extends BodyKeys {
  readonly chunksOffset: number;
  readonly padded: boolean;
}

/** The keys of one message to be sealed, and its shape. */
export interface SealingKeys extends BodyKeys {
  readonly prefix: Uint8Array;
  readonly padded: boolean;
}

/** The work of a call: its signal, and where it reports progress. */
export type BlobWork = Pick<Call, 'signal' | 'progress'>;

/** Seals a Blob. Yields the sealed message in parts; only so many of them are in memory at once. */
export async function* sealedParts(
  keys: SealingKeys,
  blob: Blob,
  work: BlobWork,
): AsyncGenerator<Uint8Array, undefined> {
  const { aead, baseNonce, chunkBytes, prefix } = keys;
  const sealer = new StreamSealer(new ChunkSealer(aead, baseNonce, chunkBytes), keys);
  yield prefix;
  const slices = slicesOf(blob, 0, chunkBytes, work);
  yield* inFlight(slices, (slice) => sealer.add(slice), WIDTH);
  yield* sealer.end();
}

/**
 * Opens a sealed Blob. Each part has verified, but only the end of the last one shows that the message
 * is complete: the caller gives out nothing before that.
 */
export async function* openedParts(
  keys: OpeningKeys,
  blob: Blob,
  work: BlobWork,
): AsyncGenerator<Part[], undefined> {
  const { aead, baseNonce, chunkBytes, chunksOffset } = keys;
  const opener = new StreamOpener(new ChunkOpener(aead, baseNonce, chunkBytes), keys);
  const slices = slicesOf(blob, chunksOffset, LARGE_CHUNK_BYTES + TAG_BYTES, work);
  yield* inFlight(slices, (slice) => opener.add(slice), WIDTH);
  yield await opener.end();
}

/** Seals a Blob slice by slice. Each sealed slice becomes a Blob, which the browser stores outside this process. */
export async function sealBlob(
  { blob, ...options }: SealParams,
  call: Call,
  leases: Leases,
): Promise<Blob> {
  const params = { purpose: 'stream', totalBytes: blob.size, ...options } as const;
  const release = await leases.forSealing(params, call);
  try {
    const parts: Blob[] = [];
    for await (const part of sealedParts(release, blob, call)) {
      parts.push(new Blob([part as BlobPart]));
    }
    return new Blob(parts);
  } finally {
    leases.giveBack(release.aead);
  }
}

/** Opens a sealed Blob. When a chunk fails, no part of it is given out. */
export async function openBlob(
  { blob, ...options }: OpenParams,
  call: Call,
  leases: Leases,
): Promise<Blob> {
  const start = await bytesOf(blob.slice(0, MAX_PREFIX_BYTES));
  const head = start.slice(0, prefixBytes(start));
  parseEnvelope(head, blob.size);
  const params = { head, totalBytes: blob.size, ...options };
  const release = await leases.forOpening(params, call);
  try {
    const blobs: Blob[] = [];
    for await (const parts of openedParts(release, blob, call)) blobs.push(...parts.map(blobOf));
    return new Blob(blobs);
  } finally {
    leases.giveBack(release.aead);
  }
}

function blobOf(part: Part): Blob {
  return typeof part === 'number' ? blobOfZeros(part) : new Blob([part as BlobPart]);
}

/** Refers to one Blob of zeros as often as needed: Blobs hold each other by reference. */
function blobOfZeros(bytes: number): Blob {
  const piece = new Blob([new Uint8Array(LARGE_CHUNK_BYTES)]);
  const whole = Math.floor(bytes / LARGE_CHUNK_BYTES);
  const pieces = Array.from({ length: whole }, () => piece);
  return new Blob([...pieces, piece.slice(0, bytes % LARGE_CHUNK_BYTES)]);
}

/**
 * Runs `work` on `width` items at a time, and yields the results in the order of the items. When one
 * fails, or the caller stops reading, no further item is begun.
 */
export async function* inFlight<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
  width: number,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const started = work(item);
    started.catch(() => undefined); // awaited below
    running.push(started);
    if (running.length >= width) yield await running.shift()!;
  }
  while (running.length > 0) yield await running.shift()!;
}
