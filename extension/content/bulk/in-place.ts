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
  const shape = { totalBytes: bodyBytes, partBytes: chunkBytes, width: widthOf(chunkBytes) };
  let at = prefix.length;
  await eachInOrder(
    shape,
    call.signal,
    (from, to) => sealer.seal(body.subarray(from, to)),
    (sealed) => {
      place.set(sealed, at);
      at += sealed.length;
      call.progress(Math.min(at, bodyBytes), bodyBytes);
    },
  );
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
  const partBytes = chunkBytes + TAG_BYTES;
  const shape = { totalBytes: sealedBytes, partBytes, width: widthOf(chunkBytes) };
  try {
    let at = 0;
    let last = new Uint8Array(0);
    const write = (): void => {
      place.set(last, at);
      at += last.length;
    };
    await eachInOrder(
      shape,
      call.signal,
      (from, to) => opener.open(across(lead, place, chunksOffset + from, chunksOffset + to)),
      (opened) => {
        write(); // over the next chunk, which has been read
        last = opened as Uint8Array<ArrayBuffer>;
        call.progress(at + last.length, place.length);
      },
    );
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

interface Shape {
  readonly totalBytes: number;
  /** Of each part but the last, which is shorter. */
  readonly partBytes: number;
  /** Parts that are worked on at the same time. */
  readonly width: number;
}

/**
 * Works on all parts, and takes the results in order. Without an iterator: its promises would cost more than the
 * cipher. When one part fails, or the call is aborted, no further one is begun.
 */
async function eachInOrder(
  { totalBytes, partBytes, width }: Shape,
  signal: AbortSignal,
  begin: (from: number, to: number) => Promise<Uint8Array>,
  take: (result: Uint8Array) => void,
): Promise<void> {
  const parts = chunkCount(totalBytes, partBytes);
  const running: Promise<Uint8Array>[] = [];
  let begun = 0;
  for (let taken = 0; taken < parts; taken++) {
    for (; begun < parts && begun - taken < width; begun++) {
      signal.throwIfAborted();
      const from = begun * partBytes;
      const result = begin(from, Math.min(from + partBytes, totalBytes));
      result.catch(() => undefined); // awaited below, unless one before it fails
      running[begun % width] = result;
    }
    take(await running[taken % width]!);
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
