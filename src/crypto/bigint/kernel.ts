/**
 * Montgomery multiplication and squaring: (a · b + q · N) / R for R = 2^(24 · count), where q makes the sum
 * divisible by R (P. Montgomery, "Modular multiplication without trial division", 1985).
 *
 * Four limbs of a and the four resulting limbs of q are processed at once, so that a column is read and
 * written once for four products. Columns are sums of products without carries, up to 2^53. Carries are
 * propagated before a column could exceed that.
 *
 * |result| ≤ |a · b| / R + 0.51 · N, because q is balanced too. With R ≥ 8 · N and |a · b| ≤ 2 · N² that is
 * below N: there is no final subtraction, hence no branch on the size of a secret.
 */
import { balanced, BLOCK, LIMB_BITS, relieve, settle } from './limbs.ts';

const RADIX_INVERSE = 2 ** -LIMB_BITS;

/** An odd modulus N in limbs, and the values that Montgomery multiplication derives from it. */
export interface Modulus {
  /** Limbs; a multiple of BLOCK. 2^(24 · count) ≥ 8 · N */
  readonly count: number;
  readonly limbs: Float64Array;
  /** -1/N modulo 2^24, balanced */
  readonly inverse: number;
  /** Columns of one product, reused: 2 · count + BLOCK numbers. */
  readonly columns: Float64Array;
}

/**
 * Rows between two calls of `relieve`. A product of limbs is below 2^46 · (1 + 2^-15). A row adds two
 * products to a column when multiplying, and three when squaring (one of them doubled): 120 at most, which
 * leaves room for the remainders of `relieve` and for carries.
 */
const ROWS_MULTIPLYING = 60;
const ROWS_SQUARING = 40;

/** target = a · b / R modulo N; target may be a or b. */
export function montgomeryMultiply(
  modulus: Modulus,
  a: Float64Array,
  b: Float64Array,
  target: Float64Array,
): void {
  const { count, columns } = modulus;
  columns.fill(0);
  for (let i = 0; i < count; i += BLOCK) {
    if (i > 0 && i % ROWS_MULTIPLYING === 0) relieve(columns, i, i + count);
    addRows(columns, i, a[i], a[i + 1], a[i + 2], a[i + 3], b, 0, count);
    cancelBlock(modulus, i);
  }
  settle(columns, count, target, count);
}

/** target = a² / R modulo N; target may be a. Computes equal products once. */
export function montgomerySquare(modulus: Modulus, a: Float64Array, target: Float64Array): void {
  const { count, columns } = modulus;
  columns.fill(0);
  for (let i = 0; i < count; i += BLOCK) {
    if (i > 0 && i % ROWS_SQUARING === 0) relieve(columns, i, i + count);
    const a0 = a[i];
    const a1 = a[i + 1];
    const a2 = a[i + 2];
    const a3 = a[i + 3];
    addSquare(columns, 2 * i, a0, a1, a2, a3);
    // The products with limbs before i were added, doubled, in earlier blocks.
    addRows(columns, i, 2 * a0, 2 * a1, 2 * a2, 2 * a3, a, i + BLOCK, count);
    cancelBlock(modulus, i);
  }
  settle(columns, count, target, count);
}

/**
 * Adds the multiple of N that makes the four columns from i on divisible by 2^96, and carries their rest to
 * the next column.
 */
function cancelBlock(modulus: Modulus, i: number): void {
  const { count, limbs: n, inverse, columns: t } = modulus;
  // Each limb of q follows from its column: q = -column/N modulo 2^24.
  const q0 = balanced(balanced(t[i]) * inverse);
  const carry0 = (t[i] + q0 * n[0]) * RADIX_INVERSE;
  const column1 = t[i + 1] + q0 * n[1] + carry0;
  const q1 = balanced(balanced(column1) * inverse);
  const carry1 = (column1 + q1 * n[0]) * RADIX_INVERSE;
  const column2 = t[i + 2] + q0 * n[2] + q1 * n[1] + carry1;
  const q2 = balanced(balanced(column2) * inverse);
  const carry2 = (column2 + q2 * n[0]) * RADIX_INVERSE;
  const column3 = t[i + 3] + q0 * n[3] + q1 * n[2] + q2 * n[1] + carry2;
  const q3 = balanced(balanced(column3) * inverse);
  addRows(t, i, q0, q1, q2, q3, n, 0, count);
  t[i + 4] += (column3 + q3 * n[0]) * RADIX_INVERSE;
}

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
