/**
 * The initial values of the columns of fused Montgomery arithmetic (fused.ts). The caller writes them to
 * memory, because they depend on the length of the modulus.
 */
import type { MontgomeryLayout } from './layout.ts';

/** See fused.ts: the constant in the high half of a product. */
export const C1 = 1.5 * 2 ** 103;
/** C2 - C1, the constant in the low half. */
export const C1_TO_C2 = 1.5 * 2 ** 52;

/** The bit patterns of both end in 48 zeros; these are the preceding 16 bits. */
const HIGH = Number(doubleBits(C1) >> 48n);
const LOW = Number(doubleBits(C1_TO_C2) >> 48n);

/** @returns the 64 bits of a double, as in memory */
export function doubleBits(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0]!;
}

/**
 * Writes biases: each pair of columns begins with the negated sum of the constants of its products. Rows m =
 * 0, 1, … add to even columns the low halves of pairs j at m + j, and the high halves at m + j + 1; to odd
 * columns both at m + j. Rows of q · N have all pairs, and so have those of a product; a square's have the
 * pairs from m on.
 */
export function writeBiases(
  bytes: Uint8Array,
  { biasMultiply, biasSquare, odd }: MontgomeryLayout,
  pairs: number,
): void {
  const words = new Uint16Array(bytes.buffer);
  for (let k = 0; k < 2 * pairs; k++) {
    const whole = rowsAt(k, k, pairs);
    const wholeBefore = rowsAt(k - 1, k - 1, pairs);
    const half = rowsAt(k, k >> 1, pairs);
    const halfBefore = rowsAt(k - 1, (k - 1) >> 1, pairs);
    for (const [at, low, high] of [
      [biasMultiply, 2 * whole, 2 * wholeBefore],
      [biasMultiply + odd, 2 * whole, 2 * whole],
      [biasSquare, whole + half, wholeBefore + halfBefore],
      [biasSquare + odd, whole + half, whole + half],
    ] as const) {
      const bias = -(low * LOW + high * HIGH);
      words[(at + 16 * k + 6) >> 1] = bias;
      words[(at + 16 * k + 14) >> 1] = bias;
    }
  }
}

/** The number of rows m ≤ last with a pair at columns k, that is 0 ≤ k - m < pairs. */
function rowsAt(k: number, last: number, pairs: number): number {
  return Math.max(Math.min(last, pairs - 1) - Math.max(k - pairs + 1, 0) + 1, 0);
}
