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
import { square } from './karatsuba.ts';
import { balanced, BLOCK, LIMB_BITS, relieve, settle } from './limbs.ts';
import { addRows, addSquare } from './rows.ts';

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
  /** For moduli so long that squares by Karatsuba's identity pay: `workspaceLength(count)` numbers, reused. */
  readonly workspace?: Float64Array;
}

/**
 * Rows between two calls of `relieve`. A product of limbs is below 2^46 · (1 + 2^-15). A row adds two
 * products to a column when multiplying, and three when squaring (one of them doubled): 120 at most, which
 * leaves room for the remainders of `relieve` and for carries.
 */
const ROWS_MULTIPLYING = 60;
const ROWS_SQUARING = 40;
/** If the product is there already, a row adds one product of q. */
const ROWS_REDUCING = 120;

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
  const { count, columns, workspace } = modulus;
  if (workspace) {
    square(a, columns, count, workspace);
    reduce(modulus, target);
    return;
  }
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

/** target = columns / R modulo N, for columns that are limbs of a product. */
function reduce(modulus: Modulus, target: Float64Array): void {
  const { count, columns } = modulus;
  for (let i = 0; i < count; i += BLOCK) {
    if (i > 0 && i % ROWS_REDUCING === 0) relieve(columns, i, i + count);
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
