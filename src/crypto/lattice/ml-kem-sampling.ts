/** Sampling of ML-KEM (FIPS 203, section 4.2.2), with the functions XOF and PRF of section 4.1. */
import { wipe } from '../bytes.ts';
import { shake } from '../hash/cshake.ts';
import { rateOf } from '../hash/keccak.ts';
import { COEFFICIENTS, newPolynomial, Q, reduced, type Polynomial } from './ml-kem-ntt.ts';

/** η: coefficients of noise are between −η and η. */
export type Eta = 2 | 3;

/** Of 100 polynomials, 99 need no more: three blocks have 336 candidates, of which 273 are accepted on average. */
const USUAL_BLOCKS = 3;

/**
 * SampleNTT (algorithm 7): a polynomial of Â, as a transform. Its time depends on ρ, which is public.
 *
 * @param rho ρ, 32 bytes
 */
export function sampleNtt(rho: Uint8Array, j: number, i: number): Polynomial {
  const f = newPolynomial();
  // The sponge has outputs of a given length: the few that are too short are computed again, with one block more.
  for (let blocks = USUAL_BLOCKS, count = 0; count < COEFFICIENTS; blocks++) {
    count = accept(shake(128, blocks * rateOf(128), rho, Uint8Array.of(j, i)), f);
  }
  return f;
}

/** Lines 4 to 15: the candidates of 12 bits that are below q. @returns how many f has */
function accept(candidates: Uint8Array, f: Polynomial): number {
  let count = 0;
  for (let at = 0; at < candidates.length && count < COEFFICIENTS; at += 3) {
    const d1 = candidates[at] | ((candidates[at + 1] & 15) << 8);
    const d2 = (candidates[at + 1] >> 4) | (candidates[at + 2] << 4);
    if (d1 < Q) f[count++] = d1;
    if (d2 < Q && count < COEFFICIENTS) f[count++] = d2;
  }
  return count;
}

/**
 * SamplePolyCBD_η (algorithm 8) of PRF_η(seed, n): noise, in a time of its own for each η.
 *
 * @param seed 32 secret bytes
 * @param n 0 … 255, another one for each polynomial of a seed
 */
export function sampleNoise(eta: Eta, seed: Uint8Array, n: number): Polynomial {
  const bytes = shake(256, 64 * eta, seed, Uint8Array.of(n));
  const f = newPolynomial();
  // η bytes have four coefficients of 2 η bits: the number of ones in the first η bits, minus that in the others.
  const everyEta = eta === 2 ? 0x5555 : 0x24_9249;
  for (let i = 0, at = 0; i < COEFFICIENTS; i += 4, at += eta) {
    const bits = bytes[at] | (bytes[at + 1] << 8) | (eta === 3 ? bytes[at + 2] << 16 : 0);
    let ones = 0;
    for (let bit = 0; bit < eta; bit++) ones += (bits >>> bit) & everyEta;
    for (let j = 0; j < 4; j++, ones >>>= 2 * eta) {
      f[i + j] = reduced((ones & ((1 << eta) - 1)) - ((ones >>> eta) & ((1 << eta) - 1)) + Q);
    }
  }
  wipe(bytes);
  return f;
}
