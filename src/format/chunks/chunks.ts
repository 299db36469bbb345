import { chunkNonce } from '../keys/chunk-nonce.ts';
import type { ChunkAead } from '../format-crypto.ts';

/**
 * Seals the chunks of one message. Its whole state is the number of the next chunk, taken when
 * `seal` is called: several chunks may be under way at once, as long as they are handed in order.
 */
export class ChunkSealer {
  readonly #aead: ChunkAead;
  readonly #baseNonce: Uint8Array;
  readonly #chunkBytes: number;
  #nextChunk = 0;
  #ended = false;

  /**
   * @param aead AES-GCM under the key of this message alone
   * @param baseNonce 12 bytes, copied
   * @param chunkBytes of the suite
   */
  constructor(aead: ChunkAead, baseNonce: Uint8Array, chunkBytes: number) {
    this.#aead = aead;
    this.#baseNonce = new Uint8Array(baseNonce);
    this.#chunkBytes = chunkBytes;
  }

  /** The last chunk, which is always short, has been handed in. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * @param chunk the next `chunkBytes` bytes of the message, or all that is left when that is
   *   less (possibly nothing): this ends the message
   * @returns 16 bytes more than `chunk`
   * @throws RangeError for a chunk too long, Error after the end of the message
   */
  async seal(chunk: Uint8Array): Promise<Uint8Array> {
    if (this.#ended) throw new Error('The message has ended: its short chunk was sealed already');
    if (chunk.length > this.#chunkBytes) {
      throw new RangeError(`chunk has ${chunk.length} bytes, at most ${this.#chunkBytes} fit`);
    }
    const nonce = chunkNonce(this.#baseNonce, this.#nextChunk);
    this.#nextChunk++;
    this.#ended = chunk.length < this.#chunkBytes;
    return this.#aead.seal(nonce, chunk);
  }
}
