import { SafeUint8Array, viewOf } from '../../../src/rpc/primordials.ts';
import { setBytes, typedArrayParts } from '../primordials.ts';

export interface PieceLengths {
  /** Length of the first piece, and of all others. Pieces that end with chunks need no copy in the content script. */
  readonly firstBytes: number;
  readonly pieceBytes: number;
}

/**
 * Copies bytes of any lengths into pieces of fixed lengths. A piece that was transferred comes back as a
 * spare and is reused, because new memory costs more than the cipher.
 */
export class Pieces {
  readonly #lengths: PieceLengths;
  #spares: Uint8Array[] = [];
  #begun: Uint8Array | undefined;
  #filled = 0;
  #count = 0;
  #whole: Uint8Array[] = [];

  constructor(lengths: PieceLengths) {
    this.#lengths = lengths;
  }

  /** Complete pieces that have not been taken. */
  get wholeCount(): number {
    return this.#whole.length;
  }

  /** @returns how many bytes from `at` on were copied into the current piece: at least one */
  add(source: Uint8Array, at: number): number {
    const piece = (this.#begun ??= this.#empty());
    const room = typedArrayParts.byteLength(piece) - this.#filled;
    const left = typedArrayParts.byteLength(source) - at;
    const taken = left < room ? left : room;
    setBytes(piece, viewOf(source, at, at + taken), this.#filled);
    this.#filled += taken;
    if (taken === room) this.#finish(piece);
    return taken;
  }

  /** Makes the rest a piece, shorter than the others. */
  end(): void {
    if (this.#filled === 0) return;
    // In a buffer of just its length, because buffers are transferred.
    this.#finish(new SafeUint8Array(viewOf(this.#begun!, 0, this.#filled)));
  }

  /** Takes all complete pieces, in their order. */
  take(): Uint8Array[] {
    const whole = this.#whole;
    this.#whole = [];
    return whole;
  }

  keep(spares: readonly Uint8Array[]): void {
    for (let i = 0; i < spares.length; i++) {
      const spare = spares[i]!;
      const fits = typedArrayParts.byteLength(spare) === this.#lengths.pieceBytes;
      if (fits) this.#spares[this.#spares.length] = spare;
    }
  }

  /** Releases all memory: the stream has ended. */
  drop(): void {
    this.#spares = [];
    this.#whole = [];
    this.#begun = undefined;
    this.#filled = 0;
  }

  #finish(piece: Uint8Array): void {
    this.#whole[this.#whole.length] = piece;
    this.#begun = undefined;
    this.#filled = 0;
    this.#count++;
  }

  #empty(): Uint8Array {
    const { firstBytes, pieceBytes } = this.#lengths;
    if (this.#count === 0) return new SafeUint8Array(firstBytes);
    const spare = this.#spares[this.#spares.length - 1];
    if (!spare) return new SafeUint8Array(pieceBytes);
    this.#spares.length--;
    return spare;
  }
}
