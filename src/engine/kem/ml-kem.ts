/** ML-KEM (FIPS 203) by @noble/post-quantum. A private key is the seed d ‖ z, 64 bytes. */
import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { wipe } from '../../crypto/bytes.ts';
import type { KemAlgorithm } from '../contract.ts';

/** The three parameter sets. */
export const ML_KEMS = {
  'ML-KEM-512': mlKem(ml_kem512),
  'ML-KEM-768': mlKem(ml_kem768),
  'ML-KEM-1024': mlKem(ml_kem1024),
};

function mlKem(kem: typeof ml_kem768): KemAlgorithm {
  return {
    constantTime: 'no',
    publicKey(seed) {
      const { publicKey, secretKey } = kem.keygen(seed);
      wipe(secretKey);
      return publicKey;
    },
    encapsulate(publicKey, randomness) {
      try {
        const { sharedSecret, cipherText } = kem.encapsulate(publicKey, randomness);
        return { sharedKey: sharedSecret, ciphertext: cipherText };
      } catch (error) {
        // The lengths are right, so the only other error is a coefficient that is not reduced (FIPS 203, section 7.2).
        throw new RangeError('publicKey is not a key of ML-KEM', { cause: error });
      }
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
