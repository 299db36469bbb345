/*
 * Seals and opens all chunks of a body in memory. Several chunks are processed at once to use the engine's
 * threads, but so few that memory beside input and output stays at a few MiB.
 */
import { wipe } from '../../crypto/bytes.ts';
import { TAG_BYTES, chunkCount } from '../wire/sealed-length.ts';
import type { ChunkOpener, ChunkSealer } from './chunks.ts';

/** Options of all calls that may take long. */
export interface WorkOptions {
  /** Checked before each chunk; after an abort the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes done so far, which grow to `totalBytes`; padding is counted. */
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** Processed at once: 16 chunks of 16 KiB, or 4 of 1 MiB. */
const CHUNKS_MAX = 16;
const BYTES_MAX = 4 * 2 ** 20;

/** Returns the bytes of a body from `from` to `to`: fresh ones or a view. */
export type BodySlice = (from: number, to: number) => Uint8Array;

/** Lengths in bytes: of the body, padding included, and of a full chunk. */
export interface BodySize {
  readonly bodyBytes: number;
  readonly chunkBytes: number;
}

/** Seals a body. Writes all sealed chunks to `into`, which has exactly their length. */
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
 * Opens a body. Writes it to `into`, which has `bodyBytes` bytes and must not be used before the promise
 * resolves. If it rejects, `into` contains zeros.
 *
 * @throws AuthenticationError if any chunk does not verify
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
  const worker = async (): Promise<void> => {
    try {
      while (next < chunks) {
        signal?.throwIfAborted();
        await task(next++);
        onProgress?.(Math.min(++done * chunkBytes, bodyBytes), bodyBytes);
      }
    } catch (error) {
      next = chunks; // the other workers stop after their current chunk
      throw error;
    }
  };
  const workers = Math.min(CHUNKS_MAX, BYTES_MAX / chunkBytes, chunks);
  await allSettled(Array.from({ length: workers }, worker));
}

/** Like Promise.all, but rejects only after every task has ended. */
async function allSettled(tasks: readonly Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
