import { SafeUint8Array, viewOf } from '../../../src/rpc/primordials.ts';
import { setBytes, typedArrayParts } from '../primordials.ts';

export interface PieceLengths {
  /** Of the first piece, and of all others: at chunks' edges the content script copies nothing. */
  readonly firstBytes: number;
  readonly pieceBytes: number;
}

/**
 * Bytes of any lengths, copied into pieces of the lengths wanted. A piece that was given away comes
 * back as a spare and is filled again: new memory costs more than the cipher.
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

  /** Pieces that are whole and have not been taken. */
  get wholeCount(): number {
    return this.#whole.length;
  }

  /** @returns how many bytes from `at` on the piece that is begun has taken: one at least */
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

  /** What is begun becomes a piece, shorter than others. */
  end(): void {
    if (this.#filled === 0) return;
    // With a buffer of just its length, which is about to be given away.
    this.#finish(new SafeUint8Array(viewOf(this.#begun!, 0, this.#filled)));
  }

  /** All that are whole, in their order. */
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

  /** There will be no more. */
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
