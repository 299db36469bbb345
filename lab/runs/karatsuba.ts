/**
 * Products of long integers in the limbs of our exponentiation (src/crypto/bigint), by rows and by Karatsuba's identity (A.
 * Karatsuba, Yu. Ofman, 1962): with
 * a = a1 · B + a0 and b = b1 · B + b0, three products of half the length instead of four,
 *
 *     a · b = a1 b1 · B² + (a1 b1 + a0 b0 + (a0 - a1)(b1 - b0)) · B + a0 b0.
 *
 * Limbs are signed, so that the differences need no comparison and no branch: addresses and time depend on lengths only.
 * The exponentiation itself does not use it. Two thirds of a squaring modulo N are the reduction, and with it 12,288 bits
 * took 3 to 7 % longer, 15,360 bits as long or 3 % longer (V8).
 */
import { addRows, addSquare } from '../../src/crypto/bigint/kernel.ts';
import { BLOCK, relieve, settle } from '../../src/crypto/bigint/limbs.ts';

/** Rows between two calls of `relieve`; see src/crypto/bigint/kernel.ts. Here a row adds one product, and two when squaring. */
const ROWS_MULTIPLYING = 120;
const ROWS_SQUARING = 60;

/** @returns numbers of the workspace that products by Karatsuba's identity need: count a multiple of 2 · BLOCK */
export const workspaceLength = (count: number): number => 5.5 * count + 8 * BLOCK;

/**
 * product = a · b, by rows.
 *
 * @param a count limbs
 * @param b count limbs and BLOCK zeros
 * @param product 2 · count limbs and BLOCK more numbers
 */
export function multiplyByRows(
  a: Float64Array,
  b: Float64Array,
  product: Float64Array,
  count: number,
): void {
  product.fill(0);
  for (let i = 0; i < count; i += BLOCK) {
    if (i > 0 && i % ROWS_MULTIPLYING === 0) relieve(product, i, i + count);
    addRows(product, i, a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!, b, 0, count);
  }
  settle(product, 0, product, 2 * count);
}

/** product = a², by rows; equal products are computed once. Arguments as for `multiplyByRows`. */
export function squareByRows(a: Float64Array, product: Float64Array, count: number): void {
  product.fill(0);
  for (let i = 0; i < count; i += BLOCK) {
    if (i > 0 && i % ROWS_SQUARING === 0) relieve(product, i, i + count);
    const a0 = a[i]!;
    const a1 = a[i + 1]!;
    const a2 = a[i + 2]!;
    const a3 = a[i + 3]!;
    addSquare(product, 2 * i, a0, a1, a2, a3);
    addRows(product, i, 2 * a0, 2 * a1, 2 * a2, 2 * a3, a, i + BLOCK, count);
  }
  settle(product, 0, product, 2 * count);
}

/**
 * product = a · b, by Karatsuba's identity once and by rows below. Arguments as for `multiplyByRows`.
 *
 * @param count a multiple of 2 · BLOCK
 * @param workspace `workspaceLength(count)` numbers; left with secrets
 */
export function multiply(
  a: Float64Array,
  b: Float64Array,
  product: Float64Array,
  count: number,
  workspace: Float64Array,
): void {
  const half = count / 2;
  const { low, high, middle, a0, a1, difference, b0, b1 } = split(a, half, workspace);
  halves(b, half, b0, b1);
  multiplyByRows(a0, b0, low, half);
  multiplyByRows(a1, b1, high, half);
  subtract(b1, b0, b0, half);
  multiplyByRows(difference, b0, middle, half);
  join(low, high, middle, 1, product, count);
}

/** product = a², by Karatsuba's identity once: the product of the differences is then -(a0 - a1)². */
export function square(
  a: Float64Array,
  product: Float64Array,
  count: number,
  workspace: Float64Array,
): void {
  const half = count / 2;
  const { low, high, middle, a0, a1, difference } = split(a, half, workspace);
  squareByRows(a0, low, half);
  squareByRows(a1, high, half);
  squareByRows(difference, middle, half);
  join(low, high, middle, -1, product, count);
}

/** The halves of a and their difference, and the places of b's halves and of three products. */
function split(a: Float64Array, half: number, workspace: Float64Array) {
  let end = 0;
  const next = (length: number) => workspace.subarray(end, (end += length));
  const product = () => next(2 * half + BLOCK);
  const part = () => next(half + BLOCK);
  const [low, high, middle] = [product(), product(), product()] as const;
  const [a0, a1, difference, b0, b1] = [part(), part(), part(), part(), part()] as const;
  halves(a, half, a0, a1);
  subtract(a0, a1, difference, half);
  return { low, high, middle, a0, a1, difference, b0, b1 };
}

/** Copies both halves, each before zeros. */
function halves(x: Float64Array, half: number, x0: Float64Array, x1: Float64Array): void {
  x0.set(x.subarray(0, half));
  x1.set(x.subarray(half, 2 * half));
  x0.fill(0, half);
  x1.fill(0, half);
}

/** difference = x - y, in limbs, before zeros; it may be y. */
function subtract(x: Float64Array, y: Float64Array, difference: Float64Array, half: number): void {
  for (let i = 0; i < half; i++) difference[i] = x[i]! - y[i]!;
  settle(difference, 0, difference, half);
  difference.fill(0, half);
}

/** @param sign of the product of the differences */
function join(
  low: Float64Array,
  high: Float64Array,
  middle: Float64Array,
  sign: number,
  product: Float64Array,
  count: number,
): void {
  const half = count / 2;
  product.set(low.subarray(0, count));
  product.set(high.subarray(0, count), count);
  product.fill(0, 2 * count);
  for (let i = 0; i < count; i++) product[half + i]! += low[i]! + high[i]! + sign * middle[i]!;
  settle(product, 0, product, 2 * count);
}
