import { AuthenticationError } from '../../crypto/errors.ts';
import { chunkNonce } from '../keys/chunk-nonce.ts';
import type { ChunkAead } from '../format-crypto.ts';
import { TAG_BYTES } from '../wire/sealed-length.ts';

/**
 * Opens the chunks of one message, after its commitment has been checked. Several chunks may be
 * under way at once, as long as they are handed in order. What `open` gives is authentic and in
 * its place, but only `finish` tells that nothing is missing at the end. After one failure every
 * later call fails.
 */
export class ChunkOpener {
  readonly #aead: ChunkAead;
  readonly #baseNonce: Uint8Array;
  readonly #sealedChunkBytes: number;
  #nextChunk = 0;
  #opened = 0;
  #ended = false;
  #failed = false;

  /**
   * @param aead AES-GCM under the key of this message alone
   * @param baseNonce 12 bytes, copied
   * @param chunkBytes of the suite
   */
  constructor(aead: ChunkAead, baseNonce: Uint8Array, chunkBytes: number) {
    this.#aead = aead;
    this.#baseNonce = new Uint8Array(baseNonce);
    this.#sealedChunkBytes = chunkBytes + TAG_BYTES;
  }

  /**
   * @param sealedChunk `chunkBytes + 16` bytes, or 16 … `chunkBytes + 15` for the last chunk
   * @throws AuthenticationError when it does not verify, stands in the wrong place, follows the
   *   last chunk, has an impossible length, or an earlier chunk failed
   */
  async open(sealedChunk: Uint8Array): Promise<Uint8Array> {
    if (!this.#admits(sealedChunk.length)) throw this.#fail();
    const nonce = chunkNonce(this.#baseNonce, this.#nextChunk);
    this.#nextChunk++;
    this.#ended = sealedChunk.length < this.#sealedChunkBytes;
    try {
      const chunk = await this.#aead.open(nonce, sealedChunk);
      this.#opened++;
      return chunk;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /**
   * To be called when the input ends and every `open` has settled.
   *
   * @throws AuthenticationError unless all chunks up to the short one have been opened
   */
  finish(): void {
    if (this.#failed || !this.#ended || this.#opened !== this.#nextChunk) throw this.#fail();
  }

  #admits(sealedBytes: number): boolean {
    const possible = sealedBytes >= TAG_BYTES && sealedBytes <= this.#sealedChunkBytes;
    return possible && !this.#ended && !this.#failed;
  }

  #fail(): AuthenticationError {
    this.#failed = true;
    return new AuthenticationError();
  }
}
