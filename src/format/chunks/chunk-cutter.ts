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
