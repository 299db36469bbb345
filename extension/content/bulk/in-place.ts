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
import { freeBytes, ownBytes } from '../../platform/channels/own-bytes.ts';
import type { Lease } from './lease.ts';

/** Chunks in the engine at the same time: 16 of 16 KiB, or 4 of 1 MiB. */
const CHUNKS_MAX = 16;
const BYTES_MAX = 4 * 2 ** 20;

type Work = Pick<Call, 'isAborted' | 'progress'>;

/** The keys of one message, of which nothing is given out before its last chunk. */
export interface InPlaceKeys extends Omit<BodyKeys, 'aead'> {
  readonly aead: Pick<Lease, 'direct' | 'confirmed'>;
}

/**
 * @param place ends with the body: the message and its padding, if any
 * @param bodyBytes length of the body
 * @returns `place`, which is now the sealed message
 */
export async function sealInPlace(
  { aead, baseNonce, chunkBytes, prefix }: InPlaceKeys & { readonly prefix: Uint8Array },
  place: Uint8Array,
  bodyBytes: number,
  call: Work,
): Promise<Uint8Array> {
  const sealer = new ChunkSealer(aead.direct, baseNonce, chunkBytes);
  const body = place.subarray(place.length - bodyBytes);
  const shape = { totalBytes: bodyBytes, partBytes: chunkBytes, width: widthOf(chunkBytes) };
  let at = prefix.length;
  await eachInOrder(
    shape,
    { call, aead },
    (from, to) => sealer.seal(body.subarray(from, to)),
    (sealed, bytes) => {
      move(sealed, place, at);
      at += bytes + TAG_BYTES;
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
  { aead, baseNonce, chunkBytes }: InPlaceKeys,
  { lead, place }: SealedPlace,
  chunksOffset: number,
  call: Work,
): Promise<Uint8Array> {
  const opener = new ChunkOpener(aead.direct, baseNonce, chunkBytes);
  const sealedBytes = lead.length + place.length - chunksOffset;
  const partBytes = chunkBytes + TAG_BYTES;
  const shape = { totalBytes: sealedBytes, partBytes, width: widthOf(chunkBytes) };
  try {
    let at = 0;
    let last: Uint8Array | undefined;
    let lastBytes = 0;
    const write = (): void => {
      if (last) move(last, place, at);
      at += lastBytes;
    };
    await eachInOrder(
      shape,
      { call, aead },
      (from, to) => opener.begin(across(lead, place, chunksOffset + from, chunksOffset + to)),
      (opened, bytes) => {
        write(); // over the next chunk, which has been read
        last = opened;
        lastBytes = bytes - TAG_BYTES;
        call.progress(at + lastBytes, place.length);
      },
    );
    opener.requireEnd();
    write();
    return place;
  } catch (error) {
    place.fill(0);
    throw error;
  }
}

/** Copies a result into its place, and frees it. */
function move(result: Uint8Array, place: Uint8Array, at: number): void {
  const bytes = ownBytes(result.buffer as ArrayBuffer);
  place.set(bytes, at);
  freeBytes(bytes);
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
 * Works on all parts, and takes the results in order, each with the length of its part. Without an iterator: its
 * promises would cost more than the cipher. When one part fails, the call is aborted or the grant ends, no further
 * one is begun.
 */
async function eachInOrder(
  { totalBytes, partBytes, width }: Shape,
  { call, aead }: { readonly call: Work; readonly aead: InPlaceKeys['aead'] },
  begin: (from: number, to: number) => Promise<Uint8Array>,
  take: (result: Uint8Array, bytes: number) => void,
): Promise<void> {
  const parts = chunkCount(totalBytes, partBytes);
  const endOf = (part: number): number => Math.min((part + 1) * partBytes, totalBytes);
  const running: Promise<Uint8Array>[] = [];
  let begun = 0;
  for (let taken = 0; taken < parts; taken++) {
    for (; begun < parts && begun - taken < width; begun++) {
      if (call.isAborted) throw new DOMException('The call was aborted', 'AbortError');
      const confirming = aead.confirmed();
      if (confirming) await confirming;
      const result = begin(begun * partBytes, endOf(begun));
      result.catch(() => undefined); // awaited below, unless one before it fails
      running[begun % width] = result;
    }
    take(await running[taken % width]!, endOf(taken) - taken * partBytes);
  }
  await aead.confirmed();
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
