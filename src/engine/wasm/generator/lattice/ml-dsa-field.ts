/**
 * Arithmetic modulo q = 8380417 in four 32-bit words (FIPS 204, section 2.3), by Montgomery's reduction with R = 2^32. Words
 * are signed and stand for their class modulo q; the comments bound them.
 */
import type { Body } from '../dsl/body.ts';
import { i32x4, i64x2, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';
import { shuffle32 } from '../dsl/words.ts';

export const Q = 8_380_417;
/** A polynomial in memory: 256 words of 32 bits. */
export const VECTORS = 64;

/** R modulo q, and 1 / q modulo R */
export const MONTGOMERY = 2 ** 32 % Q;
const Q_INVERSE = 58_728_449;

/** Words as memory holds them. */
export function bytesOfWords(words: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(words).buffer);
}

/** a · b modulo q */
export function times(a: number, b: number): number {
  return Number((BigInt(a) * BigInt(b)) % BigInt(Q));
}

/** base^exponent modulo q */
export function power(base: number, exponent: number): number {
  let value = 1;
  for (let i = 0; i < exponent; i++) value = times(value, base);
  return value;
}

/** The factor z in the form that products take: z · R, centred, and that over q modulo R. @param words four */
export function factorBytes(words: readonly number[]): number[] {
  const values = words.map((word) => {
    const value = times(word, MONTGOMERY);
    return value > Q / 2 ? value - Q : value;
  });
  return [
    ...bytesOfWords(values),
    ...bytesOfWords(values.map((value) => Math.imul(value, Q_INVERSE))),
  ];
}
/** Bytes of a factor in memory. */
export const FACTOR_BYTES = 32;

/** A factor of a product: four constants, and each over q modulo R. */
export interface Factor {
  readonly value: V128;
  readonly overQ: V128;
}

/** Products of 64 bits of the words 0 and 1, and of 2 and 3. */
export interface Products {
  readonly low: V128;
  readonly high: V128;
}

/** The operations of one function. */
export interface Field {
  /** x · z, at most q (1/2 + |x| / 2^33) */
  readonly product: (x: V128, factor: Factor) => V128;
  /** Sums of products over R, at most q / 2 + |sum| / R */
  readonly reducedProducts: (sums: Products) => V128;
  /** x between −6283008 and 6283008, and as it was if that is below 2^22. @param x below 2^31 − 2^22 */
  readonly reduced: (x: V128) => V128;
  /** x between 0 and q − 1 */
  readonly canonical: (x: V128) => V128;
}

/** The operations as statements of `body`. */
export function fieldOf(body: Body): Field {
  const q = body.let(i32x4.splat(Q));
  // The low halves of both are equal.
  const difference = ({ low, high }: Products, m: V128): V128 =>
    body.let(
      shuffle32(
        i64x2.sub(low, i64x2.extmulLowS(m, q)),
        i64x2.sub(high, i64x2.extmulHighS(m, q)),
        [1, 3, 5, 7],
      ),
    );
  const product = (given: V128, { value, overQ }: Factor): V128 => {
    const x = body.let(given);
    const m = body.let(i32x4.mul(x, overQ));
    return difference({ low: i64x2.extmulLowS(x, value), high: i64x2.extmulHighS(x, value) }, m);
  };
  const reducedProducts = (sums: Products): V128 => {
    const lowHalves = shuffle32(sums.low, sums.high, [0, 2, 4, 6]);
    const m = body.let(i32x4.mul(lowHalves, i32x4.splat(Q_INVERSE)));
    return difference(sums, m);
  };
  const reduced = (given: V128): V128 => {
    const x = body.let(given);
    const quotient = i32x4.shrS(i32x4.add(x, i32x4.splat(2 ** 22)), 23);
    return body.let(i32x4.sub(x, i32x4.mul(quotient, q)));
  };
  const canonical = (given: V128): V128 => {
    const x = reduced(given);
    return body.let(i32x4.add(x, v128.and(i32x4.shrS(x, 31), q)));
  };
  return { product, reducedProducts, reduced, canonical };
}
