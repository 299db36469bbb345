import { chunkNonce } from '../keys/chunk-keys.ts';
import type { ChunkAead } from '../format-crypto.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { TAG_BYTES } from '../wire/sealed-length.ts';

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

/**
 * Cuts bytes that come in pieces of any lengths into chunks of one length. A chunk that lies whole
 * in one piece is a view of it; only what two pieces share is copied.
 */
export class ChunkCutter {
  readonly #chunkBytes: number;
  #begun = new Uint8Array(0);
  #begunBytes = 0;

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
  }

  /** @returns the chunks that are whole with this piece, which must not change until they are used */
  add(piece: Uint8Array): Uint8Array[] {
    const chunks: Uint8Array[] = [];
    let at = this.#begunBytes > 0 ? this.#continue(piece) : 0;
    if (this.#begunBytes === this.#chunkBytes) chunks.push(this.rest());
    for (; piece.length - at >= this.#chunkBytes; at += this.#chunkBytes) {
      chunks.push(piece.subarray(at, at + this.#chunkBytes));
    }
    if (at < piece.length) this.#begin(piece.subarray(at));
    return chunks;
  }

  /** What is left: less than a chunk, possibly nothing. */
  rest(): Uint8Array {
    const rest = this.#begun.subarray(0, this.#begunBytes);
    this.#begun = new Uint8Array(0);
    this.#begunBytes = 0;
    return rest;
  }

  /** @returns how many bytes of the piece the begun chunk has taken */
  #continue(piece: Uint8Array): number {
    const taken = piece.subarray(0, this.#chunkBytes - this.#begunBytes);
    this.#begun.set(taken, this.#begunBytes);
    this.#begunBytes += taken.length;
    return taken.length;
  }

  #begin(bytes: Uint8Array): void {
    this.#begun = new Uint8Array(this.#chunkBytes);
    this.#begun.set(bytes);
    this.#begunBytes = bytes.length;
  }
}
