/**
 * Integers as limbs of 24 bits in doubles, least significant first. A limb is signed and balanced: about
 * -2^23 … 2^23 instead of 0 … 2^24 - 1. Each factor of a product is half as large, so that 128 products (not
 * 32) can be added before a sum exceeds 2^53, the limit of exact integers in doubles. 24 bits are three
 * bytes.
 *
 * A limb of a result may exceed ±2^23 by less than 2^7 (see `settle`). All bounds here allow that.
 */

export const LIMB_BITS = 24;
/** 2^24 and its inverse: multiplying by either is exact. */
const RADIX = 2 ** LIMB_BITS;
const RADIX_INVERSE = 2 ** -LIMB_BITS;

/** Limbs that the kernels process at once; counts of limbs are multiples of it. */
export const BLOCK = 4;

/**
 * Adding and subtracting 3 · 2^75 rounds a double to the nearest multiple of 2^24: around this
 * number doubles are 2^24 apart. No branch, no conversion to integers.
 */
const ROUNDER = 3 * 2 ** (51 + LIMB_BITS);

/** @returns the nearest multiple of 2^24; |x| < 2^53 */
function rounded(x: number): number {
  return x + ROUNDER - ROUNDER;
}

/** @returns the balanced remainder of x modulo 2^24: -2^23 … 2^23; |x| < 2^53 */
export function balanced(x: number): number {
  return x - rounded(x);
}

/** Zeros behind an integer's limbs, so that the kernels may read past its end. */
export function newLimbs(count: number): Float64Array {
  return new Float64Array(count + BLOCK);
}

/** @returns limbs of a big-endian integer of at most 3 · count bytes, its top limb unbalanced */
export function limbsFromBytes(bytes: Uint8Array, count: number): Float64Array {
  const limbs = newLimbs(count);
  let carry = 0;
  for (let i = 0, at = bytes.length - 1; i < count; i++, at -= 3) {
    // Before the first byte an element is undefined, which counts as 0 here.
    const digit = ((bytes[at - 2] << 16) | (bytes[at - 1] << 8) | bytes[at]) + carry;
    carry = i === count - 1 ? 0 : (digit + RADIX / 2) >> LIMB_BITS;
    limbs[i] = digit - carry * RADIX;
  }
  return limbs;
}

/** Writes limbs of an integer ≥ 0 as big-endian bytes. Drops higher bytes that do not fit. */
export function limbsToBytes(limbs: Float64Array, bytes: Uint8Array): void {
  let carry = 0;
  for (let i = 0, at = bytes.length - 1; at >= 0; i++, at -= 3) {
    const value = limbs[i] + carry;
    carry = value >> LIMB_BITS;
    bytes[at] = value;
    // Stores before the first byte are ignored.
    bytes[at - 1] = value >> 8;
    bytes[at - 2] = value >> 16;
  }
}

/**
 * The sign of an integer, -1, 0 or 1, from its highest limb that is not 0. Reads all limbs and does not
 * branch.
 */
export function signOf(limbs: Float64Array, count: number): number {
  let sign = 0;
  for (let i = 0; i < count; i++) sign = Math.sign(4 * limbs[i] + sign);
  return sign;
}

/** limbs += factor · other; does not normalise the limbs */
export function addMultiple(
  limbs: Float64Array,
  factor: number,
  other: Float64Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) limbs[i] += factor * other[i];
}

/**
 * Brings columns of sums (below 2^53) into the range of limbs. It does two rounds of carries, each from a
 * column to the next one only. A single carry through all columns would make each column wait for the
 * previous one. The first round leaves columns below 2^23 + 2^29, the second one below 2^23 + 2^6. The top
 * limb keeps its own carry.
 *
 * @param from the first column of `columns`; `target` may be `columns` if it is 0
 */
export function settle(
  columns: Float64Array,
  from: number,
  target: Float64Array,
  count: number,
): void {
  let first = 0;
  let second = 0;
  const top = count - 1;
  for (let i = 0; i < top; i++) {
    const column = columns[from + i];
    const carried = rounded(column);
    const limb = column - carried + first;
    const again = rounded(limb);
    target[i] = limb - again + second;
    first = carried * RADIX_INVERSE;
    second = again * RADIX_INVERSE;
  }
  target[top] = columns[from + top] + first + second;
}

/** One round of carries, in place, before more products are added to the columns. */
export function relieve(columns: Float64Array, from: number, to: number): void {
  let carry = 0;
  for (let i = from; i < to; i++) {
    const column = columns[i];
    const carried = rounded(column);
    columns[i] = column - carried + carry;
    carry = carried * RADIX_INVERSE;
  }
  columns[to] += carry;
}
