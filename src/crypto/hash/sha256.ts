import type { HashAlgorithm } from '../contracts.ts';
import { hashAlgorithm, hashOf } from './merkle-damgard.ts';
import { firstPrimes, highHalves, rootFraction } from './sha-constants.ts';

/** SHA-256 (FIPS 180-4, section 6.2). */
export const SHA256: HashAlgorithm = hashAlgorithm({
  name: 'SHA-256',
  blockBytes: 64,
  lengthBytes: 8,
  digestBytes: 32,
  // Section 5.3.3: from the square roots of the first eight primes
  initial: highHalves(firstPrimes(8).map((prime) => rootFraction(prime, 2))),
  scheduleWords: 16,
  compress,
});

/** @returns 32 bytes: the digest of all parts, one after the other */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA256, parts);
}

/** Section 4.2.2: from the cube roots of the first sixty-four primes */
const K = highHalves(firstPrimes(64).map((prime) => rootFraction(prime, 3)));

/**
 * Section 6.2.2, with two differences from the standard's loop that do not change the result: eight rounds
 * are unrolled, so that the working variables change roles instead of moving; and only the sixteen words of
 * the message schedule that are still needed are kept.
 */
export function compress(state: Int32Array, w: Int32Array): void {
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t += 8) {
    const i = t & 8;
    if (t >= 16 && i === 0) extend(w);
    // T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t;  d = d + T1;  h = T1 + Σ0(a) + Maj(a, b, c)
    h = (h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choose(e, f, g) + K[t] + w[i]) | 0;
    d = (d + h) | 0;
    h = (h + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority(a, b, c)) | 0;

    g = (g + (rotr(d, 6) ^ rotr(d, 11) ^ rotr(d, 25)) + choose(d, e, f) + K[t + 1] + w[i + 1]) | 0;
    c = (c + g) | 0;
    g = (g + (rotr(h, 2) ^ rotr(h, 13) ^ rotr(h, 22)) + majority(h, a, b)) | 0;

    f = (f + (rotr(c, 6) ^ rotr(c, 11) ^ rotr(c, 25)) + choose(c, d, e) + K[t + 2] + w[i + 2]) | 0;
    b = (b + f) | 0;
    f = (f + (rotr(g, 2) ^ rotr(g, 13) ^ rotr(g, 22)) + majority(g, h, a)) | 0;

    e = (e + (rotr(b, 6) ^ rotr(b, 11) ^ rotr(b, 25)) + choose(b, c, d) + K[t + 3] + w[i + 3]) | 0;
    a = (a + e) | 0;
    e = (e + (rotr(f, 2) ^ rotr(f, 13) ^ rotr(f, 22)) + majority(f, g, h)) | 0;

    d = (d + (rotr(a, 6) ^ rotr(a, 11) ^ rotr(a, 25)) + choose(a, b, c) + K[t + 4] + w[i + 4]) | 0;
    h = (h + d) | 0;
    d = (d + (rotr(e, 2) ^ rotr(e, 13) ^ rotr(e, 22)) + majority(e, f, g)) | 0;

    c = (c + (rotr(h, 6) ^ rotr(h, 11) ^ rotr(h, 25)) + choose(h, a, b) + K[t + 5] + w[i + 5]) | 0;
    g = (g + c) | 0;
    c = (c + (rotr(d, 2) ^ rotr(d, 13) ^ rotr(d, 22)) + majority(d, e, f)) | 0;

    b = (b + (rotr(g, 6) ^ rotr(g, 11) ^ rotr(g, 25)) + choose(g, h, a) + K[t + 6] + w[i + 6]) | 0;
    f = (f + b) | 0;
    b = (b + (rotr(c, 2) ^ rotr(c, 13) ^ rotr(c, 22)) + majority(c, d, e)) | 0;

    a = (a + (rotr(f, 6) ^ rotr(f, 11) ^ rotr(f, 25)) + choose(f, g, h) + K[t + 7] + w[i + 7]) | 0;
    e = (e + a) | 0;
    a = (a + (rotr(b, 2) ^ rotr(b, 13) ^ rotr(b, 22)) + majority(b, c, d)) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * W_t = σ1(W_(t-2)) + W_(t-7) + σ0(W_(t-15)) + W_(t-16) for the next sixteen t. Word t replaces W_(t-16) at t
 * mod 16. Storing reduces the sum modulo 2^32.
 */
function extend(w: Int32Array): void {
  let x = w[1]; // W_(t-15)
  let y = w[14]; // W_(t-2)
  w[0] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[9] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[2];
  y = w[15];
  w[1] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[10] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[3];
  y = w[0];
  w[2] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[11] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[4];
  y = w[1];
  w[3] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[12] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[5];
  y = w[2];
  w[4] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[13] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[6];
  y = w[3];
  w[5] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[14] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[7];
  y = w[4];
  w[6] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[15] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[8];
  y = w[5];
  w[7] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[0] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[9];
  y = w[6];
  w[8] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[1] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[10];
  y = w[7];
  w[9] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[2] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[11];
  y = w[8];
  w[10] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[3] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[12];
  y = w[9];
  w[11] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[4] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[13];
  y = w[10];
  w[12] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[5] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[14];
  y = w[11];
  w[13] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[6] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[15];
  y = w[12];
  w[14] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[7] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
  x = w[0];
  y = w[13];
  w[15] += (rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)) + w[8] + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10));
}

/** Not that of words.ts: in the bench's page, where others call that one too, Firefox was half as fast with it. */
function rotr(x: number, count: number): number {
  return (x >>> count) | (x << (32 - count));
}

/** Ch: each bit from f where e is 1, from g where e is 0. */
function choose(e: number, f: number, g: number): number {
  return g ^ (e & (f ^ g));
}

/** Maj: the majority of the three bits. */
function majority(a: number, b: number, c: number): number {
  return (a & b) ^ (c & (a ^ b));
}
