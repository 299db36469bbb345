/**
 * Rows of products of limbs, added to columns: the innermost loops of all arithmetic here. Four limbs of one factor are
 * processed at once, so that a column is read and written once for four products.
 */
import { BLOCK } from './limbs.ts';

/**
 * Adds four rows of products, of the limbs x0 … x3 and the limbs of b from `from` on. x0 · b[0] belongs to
 * column `at`. Four zeros follow the last limb of b.
 */
export function addRows(
  t: Float64Array,
  at: number,
  x0: number,
  x1: number,
  x2: number,
  x3: number,
  b: Float64Array,
  from: number,
  count: number,
): void {
  // b[k - 3], b[k - 2] and b[k - 1]; limbs before `from` count as 0.
  let b1 = 0;
  let b2 = 0;
  let b3 = 0;
  for (let k = from; k < count + BLOCK; k += BLOCK) {
    const column = at + k;
    const b4 = b[k];
    const b5 = b[k + 1];
    const b6 = b[k + 2];
    const b7 = b[k + 3];
    t[column] += x0 * b4 + x1 * b3 + x2 * b2 + x3 * b1;
    t[column + 1] += x0 * b5 + x1 * b4 + x2 * b3 + x3 * b2;
    t[column + 2] += x0 * b6 + x1 * b5 + x2 * b4 + x3 * b3;
    t[column + 3] += x0 * b7 + x1 * b6 + x2 * b5 + x3 * b4;
    b1 = b5;
    b2 = b6;
    b3 = b7;
  }
}

/** Adds the square of four limbs, which begins at column `at`. */
export function addSquare(
  t: Float64Array,
  at: number,
  a0: number,
  a1: number,
  a2: number,
  a3: number,
): void {
  t[at] += a0 * a0;
  t[at + 1] += 2 * a0 * a1;
  t[at + 2] += 2 * a0 * a2 + a1 * a1;
  t[at + 3] += 2 * (a0 * a3 + a1 * a2);
  t[at + 4] += 2 * a1 * a3 + a2 * a2;
  t[at + 5] += 2 * a2 * a3;
  t[at + 6] += a3 * a3;
}
