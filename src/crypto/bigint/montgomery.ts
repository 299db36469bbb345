import { wipe } from '../bytes.ts';
import type { Modulus } from './kernel.ts';
import { montgomeryMultiply, montgomerySquare } from './kernel.ts';
import {
  addMultiple,
  balanced,
  BLOCK,
  LIMB_BITS,
  limbsFromBytes,
  limbsToBytes,
  newLimbs,
  settle,
  signOf,
} from './limbs.ts';

/** An integer x as x · R modulo N, in limbs: |x| < N, either sign. */
export type Residue = Float64Array;

/**
 * Arithmetic modulo one odd number in Montgomery's form.
 *
 * Time and addresses depend only on the lengths of the numbers, not on the modulus, which may be a secret
 * prime, nor on the factors. (This assumes that multiplying doubles takes the same time for all integers,
 * which holds for current processors.)
 */
export class Montgomery {
  /** Bytes of the modulus, without leading zeros. */
  readonly lengthBytes: number;
  /** 1 */
  readonly one: Residue;
  readonly #modulus: Modulus;
  /** R² modulo N, which brings integers into Montgomery's form */
  readonly #square: Float64Array;

  /** @param modulus big-endian, odd, at least 3, its first byte not 0 */
  constructor(modulus: Uint8Array) {
    this.lengthBytes = modulus.length;
    // Three bits more than N has: the kernel requires R ≥ 8 · N.
    const wanted = Math.ceil((8 * modulus.length + 3) / LIMB_BITS);
    const count = (Math.ceil(wanted / BLOCK) * BLOCK) | 0;
    const limbs = limbsFromBytes(modulus, count);
    this.#modulus = {
      count,
      limbs,
      inverse: negativeInverse(limbs[0]),
      columns: new Float64Array(2 * count + BLOCK),
    };
    this.#square = this.#squareOfR();
    this.one = this.fromInteger(Uint8Array.of(1));
  }

  /**
   * @param bytes big-endian, of any length and value
   * @returns its residue
   */
  fromInteger(bytes: Uint8Array): Residue {
    const { count } = this.#modulus;
    // Horner's rule over pieces below R, most significant first.
    const pieceBytes = (count * LIMB_BITS) / 8;
    const residue = this.newResidue();
    let end = bytes.length % pieceBytes || pieceBytes;
    for (let start = 0; start < bytes.length; start = end, end += pieceBytes) {
      const piece = limbsFromBytes(bytes.subarray(start, end), count);
      this.multiply(piece, this.#square, piece);
      this.multiply(residue, this.#square, residue);
      this.add(residue, piece, residue);
      wipe(piece);
    }
    return residue;
  }

  /** @returns the integer 0 … N - 1, big-endian, lengthBytes bytes */
  toInteger(residue: Residue): Uint8Array<ArrayBuffer> {
    const { count, limbs } = this.#modulus;
    const one = newLimbs(count);
    one[0] = 1;
    const integer = newLimbs(count);
    montgomeryMultiply(this.#modulus, residue, one, integer);
    const sign = signOf(integer, count);
    // Adds N if the sign is -1: (sign² - sign) / 2 is then 1, else 0.
    addMultiple(integer, (sign * sign - sign) / 2, limbs, count);
    const bytes = new Uint8Array(this.lengthBytes);
    limbsToBytes(integer, bytes);
    wipe(integer);
    return bytes;
  }

  newResidue(): Residue {
    return newLimbs(this.#modulus.count);
  }

  /** target = a · b; target may be a or b. */
  multiply(a: Residue, b: Residue, target: Residue): void {
    montgomeryMultiply(this.#modulus, a, b, target);
  }

  /** target = a²; target may be a. */
  square(a: Residue, target: Residue): void {
    montgomerySquare(this.#modulus, a, target);
  }

  /** target = a + b; target may be a or b. */
  add(a: Residue, b: Residue, target: Residue): void {
    const { count } = this.#modulus;
    for (let i = 0; i < count; i++) target[i] = a[i] + b[i];
    this.#reduceOnce(target);
  }

  /** target = a - b; target may be a or b. */
  subtract(a: Residue, b: Residue, target: Residue): void {
    const { count } = this.#modulus;
    for (let i = 0; i < count; i++) target[i] = a[i] - b[i];
    this.#reduceOnce(target);
  }

  /** Overwrites the modulus and the values derived from it. */
  wipe(): void {
    const { limbs, columns } = this.#modulus;
    wipe(limbs, columns, this.#square, this.one);
  }

  /** |x| < 2 · N becomes |x| ≤ N: subtracts N from the absolute value. */
  #reduceOnce(x: Float64Array): void {
    const { count, limbs } = this.#modulus;
    settle(x, 0, x, count);
    addMultiple(x, -signOf(x, count), limbs, count);
    settle(x, 0, x, count);
  }

  /**
   * R² modulo N: from 2^(8 · lengthBytes - 8) ≤ N to R by doubling, on to 2 · R, and from there by
   * the bits of log2 R: squaring R · 2^k in Montgomery's form gives R · 2^(2k).
   */
  #squareOfR(): Float64Array {
    const { count } = this.#modulus;
    const bitsOfR = count * LIMB_BITS;
    const start = new Uint8Array(this.lengthBytes);
    start[0] = 1;
    const x = limbsFromBytes(start, count);
    for (let bits = 8 * this.lengthBytes - 8; bits < bitsOfR + 1; bits++) this.add(x, x, x);
    for (const bit of bitsOfR.toString(2).slice(1)) {
      this.square(x, x);
      if (bit === '1') this.add(x, x, x);
    }
    return x;
  }
}

/** -1/n modulo 2^24 by Newton's iteration, which doubles the number of correct bits. */
function negativeInverse(n: number): number {
  let inverse = n; // correct to three bits: n² = 1 modulo 8
  for (let bits = 3; bits < LIMB_BITS; bits *= 2) {
    inverse = Math.imul(inverse, 2 - Math.imul(n, inverse));
  }
  // Converts to an integer: a field with both integers and doubles would deoptimise compiled kernels.
  return balanced(-inverse) | 0;
}
