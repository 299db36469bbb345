/**
 * Shamir's secret sharing (Shamir 1979, "How to share a secret") over GF(2^8), each byte by itself: the secret is the value
 * at 0 of a random polynomial of degree k − 1, and share x is its value at x. Any k shares give the polynomial; fewer are
 * distributed in the same way for every secret.
 *
 * Elements are bytes, as polynomials modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2), as SLIP-39 has them. No branch
 * and no place in memory depends on a secret: multiplication goes bit by bit, without a table of logarithms.
 */
import { checkBytes, checkInteger, type Lengths } from './errors.ts';

/** The most shares of one secret: the elements of the field but 0, where the secret itself lies. */
export const SHARES_MAX = 255;
/** A polynomial of degree 0 would be the secret in every share. */
export const THRESHOLD_MIN = 2;

/** One share. */
export interface Share {
  /** x, 1 to 255, which is public. */
  readonly index: number;
  /** As long as the secret. */
  readonly bytes: Uint8Array;
}

/**
 * Splits a secret.
 *
 * @param secret 1 byte or more
 * @param threshold k: how many shares give the secret, 2 to `count`
 * @param count n: how many shares there are, up to 255
 * @param coefficients uniformly random and used for nothing else, k − 1 times as long as the secret; the caller wipes them
 * @returns n shares in fresh memory, with the indices 1 to n
 * @throws TypeError, RangeError for arguments of a wrong type, number or length
 */
export function splitSecret(
  secret: Uint8Array,
  threshold: number,
  count: number,
  coefficients: Uint8Array,
): Share[] {
  checkBytes('secret', secret, { min: 1 });
  checkInteger('count', count, THRESHOLD_MIN, SHARES_MAX);
  checkInteger('threshold', threshold, THRESHOLD_MIN, count);
  checkBytes('coefficients', coefficients, (threshold - 1) * secret.length);
  return Array.from({ length: count }, (_, i) => {
    const index = i + 1;
    const bytes = new Uint8Array(secret.length);
    // f(x) = secret + a_1·x + … + a_{k−1}·x^{k−1} by Horner's rule, from the highest coefficient
    for (let degree = threshold - 1; degree > 0; degree--) {
      const at = (degree - 1) * secret.length;
      for (let j = 0; j < bytes.length; j++) {
        bytes[j] = multiply(bytes[j] ^ coefficients[at + j], index);
      }
    }
    for (let j = 0; j < bytes.length; j++) bytes[j] ^= secret[j];
    return { index, bytes };
  });
}

/**
 * The secret of shares. Which shares belong together it cannot know: of too few, or of one that is wrong, the result is
 * another secret.
 *
 * @param shares as many as the threshold, or more, each of another index
 * @returns the secret in fresh memory
 * @throws TypeError, RangeError for fewer than two shares, an index twice or out of range, and shares of different lengths
 */
export function combineShares(shares: readonly Share[]): Uint8Array<ArrayBuffer> {
  return interpolate(shares, 0);
}

/**
 * The value at x of the polynomial that goes through these shares (Lagrange): the sum over i of
 * y_i · ∏ (x − x_j) / (x_i − x_j), j ≠ i. In this field a difference is XOR.
 *
 * @param x 0 to 255
 * @returns as long as a share, in fresh memory
 * @throws TypeError, RangeError as `combineShares`
 */
export function interpolate(shares: readonly Share[], x: number): Uint8Array<ArrayBuffer> {
  checkShares(shares);
  checkInteger('x', x, 0, SHARES_MAX);
  const value = new Uint8Array(shares[0].bytes.length);
  for (const { index, bytes } of shares) {
    let factor = 1;
    for (const { index: other } of shares) {
      if (other === index) continue;
      factor = multiply(factor, multiply(x ^ other, inverse(index ^ other)));
    }
    for (let j = 0; j < value.length; j++) value[j] ^= multiply(bytes[j], factor);
  }
  return value;
}

function checkShares(shares: unknown): asserts shares is readonly Share[] {
  if (!Array.isArray(shares)) throw new TypeError('shares must be an array');
  if (shares.length < THRESHOLD_MIN) {
    throw new RangeError(`shares must be at least ${THRESHOLD_MIN}, got ${shares.length}`);
  }
  const known = new Set<number>();
  let length: Lengths = { min: 1 };
  for (const [i, { index, bytes }] of (shares as Share[]).entries()) {
    checkInteger(`shares[${i}].index`, index, 1, SHARES_MAX);
    checkBytes(`shares[${i}].bytes`, bytes, length);
    if (known.has(index)) throw new RangeError(`shares[${i}].index is given twice`);
    known.add(index);
    length = bytes.length;
  }
}

/** a · b: for each bit of b, adds a · x^i, as a mask (FIPS 197, section 4.2.1: the reduction by 0x1b). */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 8; bit++) {
    product ^= a & -((b >> bit) & 1);
    a = ((a << 1) ^ (-(a >> 7) & 0x1b)) & 0xff;
  }
  return product;
}

/** a^254, which is a^−1 for all a but 0: the exponent has the bits 1111 1110. */
function inverse(a: number): number {
  let power = a;
  let result = 1;
  for (let bit = 1; bit < 8; bit++) {
    power = multiply(power, power);
    result = multiply(result, power);
  }
  return result;
}
