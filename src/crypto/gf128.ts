/**
 * Doubling in GF(2^128) for CMAC, OCB and SIV: the block is a polynomial whose highest coefficient is the
 * first byte's highest bit, modulo x^128 + x^7 + x^2 + x + 1. (GHASH has the opposite order of bits and its
 * own arithmetic in mac/ghash.ts.)
 */

// x^128 = x^7 + x^2 + x + 1, the low byte of R_128 (SP 800-38B, section 5.3)
const REDUCTION = 0b1000_0111;

/**
 * @param block 16 bytes
 * @returns x · block, 16 bytes. SP 800-38B, section 6.1, steps 2 and 3; RFC 7253, section 2 (`double`). No
 * branch or table look-up depends on the value.
 */
export function double(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const doubled = new Uint8Array(16);
  for (let i = 0; i < 15; i++) doubled[i] = (block[i] << 1) | (block[i + 1] >> 7);
  doubled[15] = (block[15] << 1) ^ (-(block[0] >> 7) & REDUCTION);
  return doubled;
}
