import type { HashAlgorithm } from '../contracts.ts';
import { hashAlgorithm, hashOf } from './merkle-damgard.ts';
import { firstPrimes, highHalves, rootFraction } from './sha-constants.ts';

/** SHA-256 (FIPS 180-4, section 6.2). */
export const SHA256: HashAlgorithm = /* @__PURE__ */ hashAlgorithm({
  name: 'SHA-256',
  blockBytes: 64,
  lengthBytes: 8,
  digestBytes: 32,
  // Section 5.3.3: from the square roots of the first eight primes
  initial: /* @__PURE__ */ highHalves(
    /* @__PURE__ */ firstPrimes(8).map((prime) => rootFraction(prime, 2)),
  ),
  scheduleWords: 64,
  compress,
});

/** @returns 32 bytes: the digest of all parts, one after the other */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA256, parts);
}

/** Section 4.2.2: from the cube roots of the first sixty-four primes */
const K = /* @__PURE__ */ highHalves(
  /* @__PURE__ */ firstPrimes(64).map((prime) => rootFraction(prime, 3)),
);

/**
 * Section 6.2.2. Rotations, Ch and Maj are written out: as functions of a line each, Firefox stopped inlining them once
 * other messages had been hashed, and took eight times as long (bench/hashes).
 *
 * @param state 8 words; changed
 * @param w 64 words, of which the first 16 are the block; changed
 */
export function compress(state: Int32Array, w: Int32Array): void {
  // W_t = σ1(W_(t-2)) + W_(t-7) + σ0(W_(t-15)) + W_(t-16). Storing reduces the sum modulo 2^32.
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15];
    const y = w[t - 2];
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    // T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t, T2 = Σ0(a) + Maj(a, b, c)
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + sum1 + (g ^ (e & (f ^ g))) + K[t] + w[t]) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (sum0 + ((a & b) ^ (c & (a ^ b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
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
