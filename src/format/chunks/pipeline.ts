import { wipe } from '../../crypto/bytes.ts';
import type { ChunkOpener, ChunkSealer } from './chunks.ts';
import { TAG_BYTES, chunkCount } from '../wire/sealed-length.ts';

/*
 * All chunks of a body that lies in memory. A few are with the engine at any time, which keeps its
 * threads busy, and the memory beside input and output stays a few MiB.
 */

/** At once: 16 chunks of 16 KiB, or 4 of 1 MiB. */
const CHUNKS_MAX = 16;
const BYTES_MAX = 4 * 2 ** 20;

/** The bytes of a body from `from` to `to`; fresh ones or a view. */
export type BodySlice = (from: number, to: number) => Uint8Array;

export interface BodySize {
  readonly bodyBytes: number;
  readonly chunkBytes: number;
}

/** Writes all sealed chunks to `into`, which has room for exactly them. */
export async function sealChunks(
  sealer: ChunkSealer,
  body: BodySlice,
  size: BodySize,
  into: Uint8Array,
  work: WorkOptions = {},
): Promise<void> {
  const { bodyBytes, chunkBytes } = size;
  await forEachChunk(size, work, async (index) => {
    const from = index * chunkBytes;
    const chunk = body(from, Math.min(from + chunkBytes, bodyBytes));
    into.set(await sealer.seal(chunk), index * (chunkBytes + TAG_BYTES));
  });
}

/**
 * Writes the body to `into`, which has `bodyBytes` bytes and is to be shown to nobody before this
 * has resolved. When it rejects, `into` holds zeros.
 *
 * @throws AuthenticationError when any chunk does not verify
 */
export async function openChunks(
  opener: ChunkOpener,
  sealedChunks: Uint8Array,
  size: BodySize,
  into: Uint8Array,
  work: WorkOptions = {},
): Promise<void> {
  const sealedChunkBytes = size.chunkBytes + TAG_BYTES;
  try {
    await forEachChunk(size, work, async (index) => {
      const from = index * sealedChunkBytes;
      const chunk = await opener.open(sealedChunks.subarray(from, from + sealedChunkBytes));
      into.set(chunk, index * size.chunkBytes);
      wipe(chunk);
    });
    opener.finish();
  } catch (error) {
    wipe(into);
    throw error;
  }
}

async function forEachChunk(
  { bodyBytes, chunkBytes }: BodySize,
  { signal, onProgress }: WorkOptions,
  task: (index: number) => Promise<void>,
): Promise<void> {
  const chunks = chunkCount(bodyBytes, chunkBytes);
  let next = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    try {
      while (next < chunks) {
        signal?.throwIfAborted();
        await task(next++);
        onProgress?.(Math.min(++done * chunkBytes, bodyBytes), bodyBytes);
      }
    } catch (error) {
      next = chunks; // the other lanes end after the chunk they are at
      throw error;
    }
  };
  const lanes = Math.min(CHUNKS_MAX, BYTES_MAX / chunkBytes, chunks);
  await allSettled(Array.from({ length: lanes }, lane));
}

/** Like Promise.all, but rejects only when nothing is under way any more. */
async function allSettled(tasks: readonly Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

/** What every call that may take long accepts. */
export interface WorkOptions {
  /** Checked between groups of chunks; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of plaintext done, rising to `totalBytes`, which includes padding. */
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}
