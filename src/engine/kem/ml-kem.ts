/** ML-KEM (FIPS 203) by @noble/post-quantum. A private key is the seed d ‖ z, 64 bytes. */
import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { wipe } from '../../crypto/bytes.ts';
import type { KemAlgorithm } from '../contract.ts';

/** FIPS 203, section 2.4 and algorithm 13: q, and 256 coefficients of 12 bits. */
const Q = 3_329;
const POLYNOMIAL_BYTES = 384;

/** The three parameter sets. */
export const ML_KEMS = {
  'ML-KEM-512': mlKem(ml_kem512, 2),
  'ML-KEM-768': mlKem(ml_kem768, 3),
  'ML-KEM-1024': mlKem(ml_kem1024, 4),
};

/** @param rank k, the number of polynomials in a public key */
function mlKem(kem: typeof ml_kem768, rank: number): KemAlgorithm {
  return {
    constantTime: 'no',
    publicKey(seed) {
      const { publicKey, secretKey } = kem.keygen(seed);
      wipe(secretKey);
      return publicKey;
    },
    encapsulate(publicKey, randomness) {
      if (!isReduced(publicKey, rank)) throw new RangeError('publicKey is not a key of ML-KEM');
      const { sharedSecret, cipherText } = kem.encapsulate(publicKey, randomness);
      return { sharedKey: sharedSecret, ciphertext: cipherText };
    },
    decapsulate(seed, ciphertext) {
      const { secretKey } = kem.keygen(seed);
      try {
        return kem.decapsulate(ciphertext, secretKey);
      } finally {
        wipe(secretKey);
      }
    },
  };
}

/**
 * FIPS 203, section 7.2, "Modulus check": every coefficient is below q. The library encodes its decoded key
 * and compares, but does not reduce in between, so its check passes for all keys (@noble/post-quantum 0.5.4).
 *
 * @param publicKey begins with `rank` polynomials
 */
export function isReduced(publicKey: Uint8Array, rank: number): boolean {
  for (let i = 0; i < rank * POLYNOMIAL_BYTES; i += 3) {
    const pair = publicKey[i]! | (publicKey[i + 1]! << 8) | (publicKey[i + 2]! << 16);
    if ((pair & 0xfff) >= Q || pair >> 12 >= Q) return false;
  }
  return true;
}
