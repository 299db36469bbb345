/**
 * The ring of ML-KEM (FIPS 203, section 2.4): polynomials of 256 coefficients modulo q = 3329 and X^256 + 1, and the
 * number-theoretic transform of section 4.3, by which they are multiplied. Every function takes and gives coefficients
 * between 0 and q − 1; inside of one the comments bound them.
 *
 * Time and places in memory do not depend on coefficients: products are reduced by Montgomery's method (1985), sums by
 * Barrett's, in integers of 32 bits, without a division, a remainder or a branch.
 */

/** n of the standard */
export const COEFFICIENTS = 256;
/** q */
export const Q = 3_329;

/** The coefficients of a polynomial, the constant first, or those of its transform. */
export type Polynomial = Int32Array;
/** As many polynomials as the parameter set says: k. */
export type Vector = readonly Polynomial[];

/** @returns zeros */
export function newPolynomial(): Polynomial {
  return new Int32Array(COEFFICIENTS);
}

/** 2^26 / q, rounded up */
const BARRETT_FACTOR = 20_159;

/** @param x 0 ≤ x < 45 q, where the product has at most 32 bits and the quotient is exact @returns x mod q */
export function reduced(x: number): number {
  return x - Math.imul(Math.imul(x, BARRETT_FACTOR) >>> 26, Q);
}

/** 1 / q modulo 2^16 */
const Q_INVERSE = -3_327;
const R = 2 ** 16 % Q;
const R_SQUARED = 2 ** 32 % Q;

/** @param x |x| < 2^15 q @returns x / 2^16 modulo q, between −q and q */
function montgomery(x: number): number {
  const multiple = (Math.imul(x, Q_INVERSE) << 16) >> 16;
  return (x - Math.imul(multiple, Q)) >> 16;
}

/** @param x |x| < 2^15 q @returns x mod q */
function remainder(x: number): number {
  return reduced(montgomery(Math.imul(montgomery(x), R_SQUARED)) + Q);
}

/** A primitive root of unity of order 256 modulo q (section 4.3) */
const ZETA = 17;

/** ζ^BitRev₇(i) mod q (appendix A), times 2^16, which `montgomery` takes off again */
const ZETAS: Readonly<Int32Array> = /* @__PURE__ */ zetas();

function zetas(): Int32Array {
  const table = new Int32Array(COEFFICIENTS / 2);
  for (let i = 0, power = R; i < table.length; i++, power = (power * ZETA) % Q) {
    let reversed = 0;
    for (let bit = 0; bit < 7; bit++) reversed |= ((i >> bit) & 1) << (6 - bit);
    table[reversed] = power;
  }
  return table;
}

/** NTT (algorithm 9), in place. @returns f̂, which is f */
export function ntt(f: Polynomial): Polynomial {
  let i = 1;
  for (let length = 128; length >= 2; length >>= 1) {
    for (let start = 0; start < COEFFICIENTS; start += 2 * length) {
      const zeta = ZETAS[i++];
      for (let j = start; j < start + length; j++) {
        const t = montgomery(Math.imul(zeta, f[j + length]));
        f[j + length] = f[j] - t;
        f[j] += t;
      }
    }
  }
  // Each of the seven layers added or took away less than q.
  for (let j = 0; j < COEFFICIENTS; j++) f[j] = reduced(f[j] + 7 * Q);
  return f;
}

/** 128^−1 mod q, times 2^16 */
const SCALE = (3_303 * R) % Q;

/** NTT^−1 (algorithm 10), in place. @returns f, which is f̂ */
export function inverseNtt(f: Polynomial): Polynomial {
  let i = 127;
  for (let length = 2; length <= 128; length <<= 1) {
    for (let start = 0; start < COEFFICIENTS; start += 2 * length) {
      const zeta = ZETAS[i--];
      for (let j = start; j < start + length; j++) {
        const t = f[j];
        f[j] = reduced(t + f[j + length] + 2 * Q);
        f[j + length] = montgomery(Math.imul(zeta, f[j + length] - t));
      }
    }
  }
  for (let j = 0; j < COEFFICIENTS; j++) f[j] = reduced(montgomery(Math.imul(f[j], SCALE)) + Q);
  return f;
}

/**
 * The sum of MultiplyNTTs(a_j, b_j) (algorithms 11 and 12): a row of a matrix times a column. The sums of products are reduced
 * once; with four terms they stay below 8 q².
 *
 * @param a transforms
 * @param b as many, at most 4
 * @returns a transform of its own
 */
export function dot(a: Vector, b: Vector): Polynomial {
  const sum = newPolynomial();
  for (let i = 0; i < COEFFICIENTS; i += 2) {
    let even = 0;
    let odd = 0;
    let mixed = 0;
    for (let j = 0; j < a.length; j++) {
      const f = a[j];
      const g = b[j];
      even += Math.imul(f[i], g[i]);
      odd += Math.imul(f[i + 1], g[i + 1]);
      mixed += Math.imul(f[i], g[i + 1]) + Math.imul(f[i + 1], g[i]);
    }
    // γ = ζ^(2 BitRev₇(i / 2) + 1)
    const zeta = ZETAS[64 + (i >> 2)];
    const gamma = (i & 2) === 0 ? zeta : -zeta;
    sum[i] = remainder(even + Math.imul(montgomery(odd), gamma));
    sum[i + 1] = remainder(mixed);
  }
  return sum;
}

/** f ← f + g @returns f */
export function add(f: Polynomial, g: Polynomial): Polynomial {
  for (let i = 0; i < COEFFICIENTS; i++) f[i] = reduced(f[i] + g[i]);
  return f;
}

/** f ← f − g @returns f */
export function subtract(f: Polynomial, g: Polynomial): Polynomial {
  for (let i = 0; i < COEFFICIENTS; i++) f[i] = reduced(f[i] - g[i] + Q);
  return f;
}
