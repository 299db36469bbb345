/*
 * Seals and opens the body of a whole message in memory with the keys of that message. Used by sealMessage
 * and openMessage, and by content scripts, which never get another key.
 */
import { wipe } from '../../crypto/bytes.ts';
import { ChunkOpener, ChunkSealer } from './chunks.ts';
import { openChunks, sealChunks, type WorkOptions } from './pipeline.ts';
import type { ChunkAead } from '../format-crypto.ts';
import { PaddingReader, paddedSlice } from '../wire/padding.ts';
import { chunkedLength } from '../wire/sealed-length.ts';

/** The keys of one message. */
export interface BodyKeys {
  /** AES-GCM under the key of this message alone. */
  readonly aead: ChunkAead;
  /** 12 bytes. */
  readonly baseNonce: Uint8Array;
  readonly chunkBytes: number;
}

/**
 * Seals a message.
 *
 * @param prefix the bytes before the chunks
 * @param body the message, and its padded length in bytes (its own length if it is not padded)
 * @returns the sealed message
 */
export async function sealBody(
  { aead, baseNonce, chunkBytes }: BodyKeys,
  prefix: Uint8Array,
  { message, bodyBytes }: { readonly message: Uint8Array; readonly bodyBytes: number },
  work: WorkOptions,
): Promise<Uint8Array> {
  const sealed = new Uint8Array(prefix.length + chunkedLength(bodyBytes, chunkBytes));
  sealed.set(prefix);
  const sealer = new ChunkSealer(aead, baseNonce, chunkBytes);
  const slice = (from: number, to: number) => paddedSlice(message, from, to);
  const into = sealed.subarray(prefix.length);
  await sealChunks(sealer, slice, { bodyBytes, chunkBytes }, into, work);
  return sealed;
}

/** Position and length of the body in a sealed message. */
export interface BodyPlace {
  readonly chunksOffset: number;
  readonly bodyBytes: number;
  readonly padded: boolean;
}

/**
 * Opens a message.
 *
 * @returns the message, after its last chunk has verified
 * @throws AuthenticationError if any part does not verify
 */
export async function openBody(
  { aead, baseNonce, chunkBytes }: BodyKeys,
  sealed: Uint8Array,
  { chunksOffset, bodyBytes, padded }: BodyPlace,
  work: WorkOptions,
): Promise<Uint8Array> {
  const opener = new ChunkOpener(aead, baseNonce, chunkBytes);
  const body = new Uint8Array(bodyBytes);
  const chunks = sealed.subarray(chunksOffset);
  await openChunks(opener, chunks, { bodyBytes, chunkBytes }, body, work);
  return padded ? withoutPadding(body) : body;
}

/**
 * Copies the message out of its padded form, which it wipes, also on failure.
 *
 * @throws AuthenticationError if the padding is invalid
 */
export function withoutPadding(body: Uint8Array): Uint8Array {
  try {
    const padding = new PaddingReader();
    padding.read(body);
    return body.slice(0, padding.messageBytes());
  } finally {
    wipe(body);
  }
}
