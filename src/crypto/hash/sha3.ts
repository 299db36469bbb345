import type { HashAlgorithm, Sha3Name } from '../contracts.ts';
import { KECCAK_ROUNDS, KECCAK_STATE_BYTES, keccakSponge } from './keccak.ts';
import { hashOf } from './merkle-damgard.ts';

/*
 * SHA-3 (FIPS 202): the sponge of Keccak with 24 rounds. The functions with outputs of any length are in cshake.ts,
 * turboshake.ts and kangaroo-twelve.ts.
 */

/** The suffix 01 of SHA-3 and the first 1 of pad10*1 (FIPS 202, section 6.1, algorithm 9; B.2) */
export const SHA3_SUFFIX = 0x06;

/** SHA3-256 (FIPS 202): 136-byte blocks, 32-byte digest. */
export const SHA3_256: HashAlgorithm<'SHA3-256'> = /* @__PURE__ */ sha3('SHA3-256', 32);
/** SHA3-384 (FIPS 202): 104-byte blocks, 48-byte digest. */
export const SHA3_384: HashAlgorithm<'SHA3-384'> = /* @__PURE__ */ sha3('SHA3-384', 48);
/** SHA3-512 (FIPS 202): 72-byte blocks, 64-byte digest. */
export const SHA3_512: HashAlgorithm<'SHA3-512'> = /* @__PURE__ */ sha3('SHA3-512', 64);

/** Section 6.1: the capacity is twice the digest; HMAC's block is the rate (section 7). */
function sha3<N extends Sha3Name>(name: N, digestBytes: number): HashAlgorithm<N> {
  const blockBytes = KECCAK_STATE_BYTES - 2 * digestBytes;
  const params = {
    rounds: KECCAK_ROUNDS,
    rateBytes: blockBytes,
    suffix: SHA3_SUFFIX,
    outputBytes: digestBytes,
  } as const;
  return { name, blockBytes, digestBytes, create: () => keccakSponge(params) };
}

/** @returns 32 bytes: the digest of all parts, one after the other */
export function sha3_256(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA3_256, parts);
}

/** @returns 64 bytes: the digest of all parts, one after the other */
export function sha3_512(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA3_512, parts);
}
