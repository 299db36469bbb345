/**
 * Arithmetic modulo q = 3329 in eight 16-bit words (FIPS 203, section 2.4). Words are signed and stand for their class
 * modulo q; the comments bound them.
 *
 * A product by a constant z is z · x − q · round(x · z / q), whose quotient is one rounded product by round(z · 2^15 / q)
 * (Barrett's reduction, as in Becker and others, "Neon NTT", 2021): for every x it is below q (1/2 + |x| / 2^16).
 */
import type { Body } from '../dsl/body.ts';
import { i16x8, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';

export const Q = 3_329;
/** A polynomial in memory: 256 words of 16 bits. */
export const POLYNOMIAL_BYTES = 512;
export const VECTORS = 32;

const WORDS = 8;

/** Eight times the word. */
export function splat(word: number): V128 {
  return v128.const(bytesOfWords(Array.from({ length: WORDS }, () => word)));
}

/** Words as memory holds them. */
export function bytesOfWords(words: readonly number[]): Uint8Array {
  return new Uint8Array(Int16Array.from(words).buffer);
}

/** base^exponent modulo q */
export function power(base: number, exponent: number): number {
  let value = 1;
  for (let i = 0; i < exponent; i++) value = (value * base) % Q;
  return value;
}

/** The factor z in the form that products take, vector after vector: z, and round(z · 2^15 / q). @param words eight */
export function factorBytes(words: readonly number[]): number[] {
  const centred = words.map((word) => (word > Q / 2 ? word - Q : word));
  const quotients = centred.map((word) => Math.round((word * 32_768) / Q));
  return [...bytesOfWords(centred), ...bytesOfWords(quotients)];
}
/** Bytes of a factor in memory. */
export const FACTOR_BYTES = 32;

/** A factor of a product: eight constants, and their quotients. */
export interface Factor {
  readonly value: V128;
  readonly quotient: V128;
}

/** The operations of one function. */
export interface Field {
  /** x · z, at most q (1/2 + |x| / 2^16) */
  readonly product: (x: V128, factor: Factor) => V128;
  /** x reduced: at most 0.66 q */
  readonly reduced: (x: V128) => V128;
  /** x between 0 and q − 1 */
  readonly canonical: (x: V128) => V128;
}

/** The operations as statements of `body`. */
export function fieldOf(body: Body): Field {
  const q = body.let(splat(Q));
  const product = (given: V128, { value, quotient }: Factor): V128 => {
    const x = body.let(given);
    const multiple = i16x8.mul(i16x8.q15mulr(x, quotient), q);
    return body.let(i16x8.sub(i16x8.mul(x, value), multiple));
  };
  // 2^15 / q is 9.84: the quotient is wrong by 1/2 and 0.16 at most.
  const tenth = splat(Math.round(32_768 / Q));
  const reduced = (given: V128): V128 => {
    const x = body.let(given);
    return body.let(i16x8.sub(x, i16x8.mul(i16x8.q15mulr(x, tenth), q)));
  };
  const canonical = (given: V128): V128 => {
    const x = reduced(given);
    return body.let(i16x8.add(x, v128.and(i16x8.shrS(x, 15), q)));
  };
  return { product, reduced, canonical };
}
