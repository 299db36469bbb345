/*
 * The digest of a message (docs/format.md section 3.6): SHA-256 of the SHA-256 of each of its chunks, before padding. The
 * platform hashes them, which has no hash that goes on from piece to piece.
 */
import { concat } from '../../crypto/bytes.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';
import { ChunkCutter } from './chunks.ts';

/** Hashes a message that comes in pieces. */
export class MessageDigest {
  readonly #cutter: ChunkCutter;
  readonly #digests: Uint8Array[] = [];

  /** @param chunkBytes of the message's suite */
  constructor(chunkBytes: number) {
    this.#cutter = new ChunkCutter(chunkBytes);
  }

  /** Takes the next bytes, which must not change until this has settled. Call it again only then. */
  async add(piece: Uint8Array): Promise<void> {
    this.#digests.push(...(await Promise.all(this.#cutter.add(piece).map(nativeSha256))));
  }

  /** Ends the message. @returns 32 bytes */
  async digest(): Promise<Uint8Array> {
    return nativeSha256(concat(...this.#digests, await nativeSha256(this.#cutter.rest())));
  }
}

/** The digest of a whole message in memory. */
export async function messageDigest(message: Uint8Array, chunkBytes: number): Promise<Uint8Array> {
  const digest = new MessageDigest(chunkBytes);
  await digest.add(message);
  return digest.digest();
}
