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
  readonly #sha256: typeof nativeSha256;

  /** @param chunkBytes of the message's suite */
  constructor(chunkBytes: number, sha256 = nativeSha256) {
    this.#cutter = new ChunkCutter(chunkBytes);
    this.#sha256 = sha256;
  }

  /** Takes the next bytes, which must not change until this has settled. Call it again only then. */
  async add(piece: Uint8Array): Promise<void> {
    for (const chunk of this.#cutter.add(piece)) this.#digests.push(await this.#sha256(chunk));
  }

  /** Ends the message. @returns 32 bytes */
  async digest(): Promise<Uint8Array> {
    return this.#sha256(concat(...this.#digests, await this.#sha256(this.#cutter.rest())));
  }
}

/** The digest of a whole message in memory. */
export async function messageDigest(
  message: Uint8Array,
  chunkBytes: number,
  sha256 = nativeSha256,
): Promise<Uint8Array> {
  const digest = new MessageDigest(chunkBytes, sha256);
  await digest.add(message);
  return digest.digest();
}
