/* Seals and opens the chunks of one message, and cuts pieces of any length into chunks. */
import { AuthenticationError } from '../../crypto/errors.ts';
import type { ChunkAead } from '../format-crypto.ts';
import { chunkNonce } from '../keys/chunk-keys.ts';
import { TAG_BYTES } from '../wire/sealed-length.ts';

/**
 * Seals the chunks of one message. Its only state is the number of the next chunk, which is assigned when
 * `seal` is called. Several calls may run at once, if they are made in order.
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

  /** Whether the last chunk, which is always short, was passed to `seal`. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Seals the next chunk.
   *
   * @param chunk the next `chunkBytes` bytes of the message, or the remaining bytes if these are fewer
   * (possibly none), which ends the message
   * @returns 16 bytes more than `chunk`
   * @throws RangeError for a chunk too long, Error after the end of the message; both as a rejection
   */
  seal(chunk: Uint8Array): Promise<Uint8Array> {
    if (this.#ended) {
      const message = 'The message has ended: its short chunk was sealed already';
      return Promise.reject(new Error(message));
    }
    if (chunk.length > this.#chunkBytes) {
      const message = `chunk has ${chunk.length} bytes, at most ${this.#chunkBytes} fit`;
      return Promise.reject(new RangeError(message));
    }
    const nonce = chunkNonce(this.#baseNonce, this.#nextChunk);
    this.#nextChunk++;
    this.#ended = chunk.length < this.#chunkBytes;
    return this.#aead.seal(nonce, chunk);
  }
}

/**
 * Opens the chunks of one message, after its commitment was checked. Several calls may run at once, if they
 * are made in order. The output of `open` is authentic and in order, but only `finish` shows that the message
 * is complete. After one failure every later call fails.
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
   * Opens the next chunk.
   *
   * @param sealedChunk `chunkBytes + 16` bytes, or 16 … `chunkBytes + 15` for the last chunk
   * @throws AuthenticationError when it does not verify, is in the wrong place, follows the
   *   last chunk, has an impossible length, or an earlier chunk failed
   */
  async open(sealedChunk: Uint8Array): Promise<Uint8Array> {
    try {
      const chunk = await this.begin(sealedChunk);
      this.#opened++;
      return chunk;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /**
   * Opens the next chunk as `open` does, with no promise beside the engine's. For callers that drop all results
   * when one chunk fails, and call `requireEnd` in place of `finish` after all have resolved.
   *
   * @param sealedChunk as for `open`
   * @throws AuthenticationError as `open` does, as a rejection
   */
  begin(sealedChunk: Uint8Array): Promise<Uint8Array> {
    if (!this.#admits(sealedChunk.length)) return Promise.reject(this.#fail());
    const nonce = chunkNonce(this.#baseNonce, this.#nextChunk);
    this.#nextChunk++;
    this.#ended = sealedChunk.length < this.#sealedChunkBytes;
    return this.#aead.open(nonce, sealedChunk);
  }

  /**
   * Checks that the message is complete. Call it when the input has ended and every `open` has settled.
   *
   * @throws AuthenticationError unless all chunks up to the short one have been opened
   */
  finish(): void {
    this.requireEnd();
    if (this.#failed || this.#opened !== this.#nextChunk) throw this.#fail();
  }

  /**
   * Checks that the last chunk, which is always short, was passed to `open` or `begin`.
   *
   * @throws AuthenticationError unless it was
   */
  requireEnd(): void {
    if (!this.#ended) throw this.#fail();
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
 * Cuts a sequence of pieces of any lengths into chunks of one length. A chunk that lies within one piece
 * is a view of it; only chunks that span pieces are copied.
 */
export class ChunkCutter {
  readonly #chunkBytes: number;
  #partial = new Uint8Array(0);
  #partialBytes = 0;

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
  }

  /** @returns the chunks that this piece completes; the piece must not change until they are used */
  add(piece: Uint8Array): Uint8Array[] {
    const chunks: Uint8Array[] = [];
    let at = this.#partialBytes > 0 ? this.#fillChunk(piece) : 0;
    if (this.#partialBytes === this.#chunkBytes) chunks.push(this.rest());
    for (; piece.length - at >= this.#chunkBytes; at += this.#chunkBytes) {
      chunks.push(piece.subarray(at, at + this.#chunkBytes));
    }
    if (at < piece.length) this.#startChunk(piece.subarray(at));
    return chunks;
  }

  /** The bytes after the last full chunk, possibly none. */
  rest(): Uint8Array {
    const rest = this.#partial.subarray(0, this.#partialBytes);
    this.#partial = new Uint8Array(0);
    this.#partialBytes = 0;
    return rest;
  }

  /** @returns how many bytes of the piece went into the partial chunk */
  #fillChunk(piece: Uint8Array): number {
    const taken = piece.subarray(0, this.#chunkBytes - this.#partialBytes);
    this.#partial.set(taken, this.#partialBytes);
    this.#partialBytes += taken.length;
    return taken.length;
  }

  #startChunk(bytes: Uint8Array): void {
    this.#partial = new Uint8Array(this.#chunkBytes);
    this.#partial.set(bytes);
    this.#partialBytes = bytes.length;
  }
}
