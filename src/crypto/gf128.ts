/**
 * Doubling in GF(2^128) for CMAC, OCB and SIV, and in GF(2^64) for OCB over blocks of 8 bytes: the block is a
 * polynomial whose highest coefficient is the first byte's highest bit, modulo x^128 + x^7 + x^2 + x + 1 or
 * x^64 + x^4 + x^3 + x + 1. And the same for GHASH, which has the opposite order of bits.
 */
import { load32be, store32be } from './words.ts';

// x^128 = x^7 + x^2 + x + 1 and x^64 = x^4 + x^3 + x + 1: the low bytes of R_128 and R_64 (SP 800-38B,
// section 5.3)
const REDUCTION_128 = 0b1000_0111;
const REDUCTION_64 = 0b0001_1011;

/**
 * @param block 16 or 8 bytes
 * @returns x · block, as long. SP 800-38B, section 6.1, steps 2 and 3; RFC 7253, section 2 (`double`). No
 * branch or table look-up depends on the value.
 */
export function double(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const doubled = new Uint8Array(block.length);
  const last = block.length - 1;
  const reduction = last === 15 ? REDUCTION_128 : REDUCTION_64;
  for (let i = 0; i < last; i++) doubled[i] = (block[i] << 1) | (block[i + 1] >> 7);
  doubled[last] = (block[last] << 1) ^ (-(block[0] >> 7) & reduction);
  return doubled;
}

/**
 * v := v · x for GHASH: a shift to the right, as the first bit is x^0; R = 11100001 ‖ 0^120 (SP 800-38D, section
 * 6.3). No branch or table look-up depends on the value.
 *
 * @param v four words, the first byte of the block highest in the first
 */
export function timesXReflected(v: number[]): void {
  const carry = -(v[3] & 1) & 0xe100_0000;
  for (let i = 3; i > 0; i--) v[i] = (v[i] >>> 1) | (v[i - 1] << 31);
  v[0] = (v[0] >>> 1) ^ carry;
}

/**
 * X · Y for GHASH (SP 800-38D, algorithm 1), bit by bit, each bit as a mask: no branch or table look-up depends on
 * the values.
 *
 * @param x four words, the first byte of the block highest in the first
 * @param y 16 bytes
 * @returns 16 bytes
 */
export function timesReflected(x: readonly number[], y: Uint8Array): Uint8Array<ArrayBuffer> {
  const z = [0, 0, 0, 0];
  const v = [0, 4, 8, 12].map((at) => load32be(y, at));
  for (let i = 0; i < 128; i++) {
    const isSet = -((x[i >> 5] >>> (31 - (i & 31))) & 1);
    for (let word = 0; word < 4; word++) z[word] ^= v[word] & isSet;
    timesXReflected(v);
  }
  const product = new Uint8Array(16);
  z.forEach((word, i) => store32be(product, 4 * i, word));
  return product;
}
