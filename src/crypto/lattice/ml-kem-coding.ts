/**
 * Polynomials of ML-KEM as bytes (FIPS 203, section 4.2.1). Time and places in memory depend on the number of bits alone.
 */
import { COEFFICIENTS, newPolynomial, Q, type Polynomial } from './ml-kem-ntt.ts';

/** d: 1 for messages; 4, 5, 10 and 11 for ciphertexts; 12, with which coefficients are whole, for keys. */
export type Bits = 1 | 4 | 5 | 10 | 11 | 12;
const WHOLE_BITS = 12;

/** @returns the length of a polynomial whose coefficients have d bits each, in bytes */
export function encodedBytes(d: Bits): number {
  return (COEFFICIENTS / 8) * d;
}

/** ByteEncode_d (algorithm 5) of f, after Compress_d unless d = 12. @param target its first 32 · d bytes are written */
export function encode(d: Bits, f: Polynomial, target: Uint8Array): void {
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = 0; i < COEFFICIENTS; i++) {
    bits |= (d === WHOLE_BITS ? f[i] : compress(d, f[i])) << count;
    for (count += d; count >= 8; count -= 8) {
      target[at++] = bits;
      bits >>>= 8;
    }
  }
}

/**
 * ByteDecode_d (algorithm 6), then Decompress_d unless d = 12.
 *
 * @param bytes its first 32 · d bytes are read
 * @returns coefficients below q; with d = 12, below 2^12: `isReduced` says whether they may be used
 */
export function decode(d: Bits, bytes: Uint8Array): Polynomial {
  const f = newPolynomial();
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = 0; i < COEFFICIENTS; i++) {
    for (; count < d; count += 8) bits |= bytes[at++] << count;
    const y = bits & ((1 << d) - 1);
    f[i] = d === WHOLE_BITS ? y : decompress(d, y);
    bits >>>= d;
    count -= d;
  }
  return f;
}

/** The modulus check of section 7.2, of a polynomial that is public. */
export function isReduced(f: Polynomial): boolean {
  return f.every((coefficient) => coefficient < Q);
}

/**
 * Compress_d (equation 4.7): round(2^d / q · x) mod 2^d. A division would take a time that depends on x: the quotient is a
 * product by 2^27 / q, which is right or one too small (its error is below 0.09), and the remainder tells which.
 */
function compress(d: number, x: number): number {
  const dividend = (x << d) + (Q >> 1);
  const quotient = Math.imul(dividend >>> 7, 40_317) >>> 20;
  const missing = (Q - 1 - (dividend - Math.imul(quotient, Q))) >>> 31;
  return (quotient + missing) & ((1 << d) - 1);
}

/** Decompress_d (equation 4.8): round(q / 2^d · y) */
function decompress(d: number, y: number): number {
  return (Math.imul(Q, y) + (1 << (d - 1))) >>> d;
}
