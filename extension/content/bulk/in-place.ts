/*
 * Large messages are sealed and opened in the memory in which they arrive. The page lays them out so
 * that no chunk's result overwrites what has not been read yet:
 *
 *   to seal    ······|message          the place is as long as the sealed message
 *   sealed     prefix|chunk|tag|chunk|tag|…
 *
 *   to open    lead|place              the sealed message in two parts, the second as long as its body
 *   opened          |message
 *
 * A result is written after all chunks before it have been read, so results are awaited in order.
 */
import { ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import { chunkCount, TAG_BYTES } from '../../../src/format/wire/sealed-length.ts';
import type { BodyKeys } from '../../../src/format/chunks/body.ts';
import type { Call } from '../../../src/rpc/call.ts';
import { inFlight } from './blobs.ts';

/** Chunks in the engine at the same time: 16 of 16 KiB, or 4 of 1 MiB. */
const CHUNKS_MAX = 16;
const BYTES_MAX = 4 * 2 ** 20;

type Work = Pick<Call, 'signal' | 'progress'>;

/**
 * @param place ends with the body: the message and its padding, if any
 * @param bodyBytes length of the body
 * @returns `place`, which is now the sealed message
 */
export async function sealInPlace(
  { aead, baseNonce, chunkBytes, prefix }: BodyKeys & { readonly prefix: Uint8Array },
  place: Uint8Array,
  bodyBytes: number,
  call: Work,
): Promise<Uint8Array> {
  const sealer = new ChunkSealer(aead, baseNonce, chunkBytes);
  const body = place.subarray(place.length - bodyBytes);
  const chunks = cut(bodyBytes, chunkBytes, call.signal, (from, to) => body.subarray(from, to));
  let at = prefix.length;
  for await (const sealed of inFlight(chunks, (chunk) => sealer.seal(chunk), widthOf(chunkBytes))) {
    place.set(sealed, at);
    at += sealed.length;
    call.progress(Math.min(at, bodyBytes), bodyBytes);
  }
  place.set(prefix);
  return place;
}

export interface SealedPlace {
  readonly lead: Uint8Array;
  readonly place: Uint8Array;
}

/** Whether the parts of a sealed message let it be opened in place. Those of a forged one may not. */
export function fitsPlace({ lead, place }: SealedPlace, bodyBytes: number, chunkBytes: number) {
  const tagsBytes = TAG_BYTES * chunkCount(bodyBytes, chunkBytes);
  return place.length === bodyBytes && tagsBytes <= chunkBytes && lead.length >= tagsBytes;
}

/**
 * @returns `place`, which is now the body, after its last chunk has verified
 * @throws AuthenticationError when anything does not verify; `place` then holds zeros
 */
export async function openInPlace(
  { aead, baseNonce, chunkBytes }: BodyKeys,
  { lead, place }: SealedPlace,
  chunksOffset: number,
  call: Work,
): Promise<Uint8Array> {
  const opener = new ChunkOpener(aead, baseNonce, chunkBytes);
  const sealedBytes = lead.length + place.length - chunksOffset;
  const chunks = cut(sealedBytes, chunkBytes + TAG_BYTES, call.signal, (from, to) =>
    across(lead, place, chunksOffset + from, chunksOffset + to),
  );
  try {
    let at = 0;
    let last = new Uint8Array(0);
    const write = (): void => {
      place.set(last, at);
      at += last.length;
    };
    for await (const opened of inFlight(
      chunks,
      (chunk) => opener.open(chunk),
      widthOf(chunkBytes),
    )) {
      write(); // over the next chunk, which has been read
      last = opened as Uint8Array<ArrayBuffer>;
      call.progress(at + last.length, place.length);
    }
    opener.finish();
    write();
    return place;
  } catch (error) {
    place.fill(0);
    throw error;
  }
}

function widthOf(chunkBytes: number): number {
  return Math.min(CHUNKS_MAX, BYTES_MAX / chunkBytes);
}

/** Yields the parts of `partBytes` and a shorter one at the end. Throws once the call is aborted. */
function* cut<T>(
  totalBytes: number,
  partBytes: number,
  signal: AbortSignal,
  slice: (from: number, to: number) => T,
): Generator<T> {
  const parts = chunkCount(totalBytes, partBytes);
  for (let i = 0; i < parts; i++) {
    signal.throwIfAborted();
    yield slice(i * partBytes, Math.min((i + 1) * partBytes, totalBytes));
  }
}

/** Bytes `from` to `to` of both arrays in a row: a view, or a copy where they begin in the first. */
function across(lead: Uint8Array, place: Uint8Array, from: number, to: number): Uint8Array {
  const border = lead.length;
  if (from >= border) return place.subarray(from - border, to - border);
  const bytes = new Uint8Array(to - from);
  bytes.set(lead.subarray(from, to));
  if (to > border) bytes.set(place.subarray(0, to - border), border - from);
  return bytes;
}
