/**
 * X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 (FIPS 203) and X25519 together, by @noble/post-quantum.
 * A private key is the seed of 32 bytes from which both are expanded.
 */
import { ml_kem768_x25519 as XWing } from '@noble/post-quantum/hybrid.js';
import { AuthenticationError } from '../../crypto/errors.ts';
import { X_WING_ID } from '../../crypto/kdf/hpke.ts';
import type { Encapsulation, Kem } from './kem.ts';

/** Section 5: seed 32; 1,184 + 32; 1,088 + 32; and 64 bytes of `eseed`. */
const PRIVATE_KEY_BYTES = 32;
const PUBLIC_KEY_BYTES = 1_216;
const ENCAPSULATED_BYTES = 1_120;
const RANDOMNESS_BYTES = 64;

/** The hybrid of ML-KEM-768 and X25519. */
export const X_WING: Kem = {
  id: X_WING_ID,
  privateKeyBytes: PRIVATE_KEY_BYTES,
  publicKeyBytes: PUBLIC_KEY_BYTES,
  encapsulatedBytes: ENCAPSULATED_BYTES,
  randomnessBytes: RANDOMNESS_BYTES,
  publicKey: (seed) => Promise.resolve(XWing.getPublicKey(seed)),
  // Returns rejecting promises where the library throws.
  encapsulate: (publicKey, eseed) => Promise.resolve().then(() => encapsulated(publicKey, eseed)),
  decapsulate: (seed, ciphertext) => Promise.resolve().then(() => decapsulated(seed, ciphertext)),
};

/** The lengths are right, so an error means a part of ML-KEM that is not reduced, or a point of low order. */
function encapsulated(publicKey: Uint8Array, eseed: Uint8Array): Encapsulation {
  try {
    const { sharedSecret, cipherText } = XWing.encapsulate(publicKey, eseed);
    return { sharedSecret, encapsulated: cipherText };
  } catch (error) {
    throw new RangeError('publicKey is not a key of X-Wing', { cause: error });
  }
}

/** ML-KEM returns another secret for a foreign ciphertext; the X25519 part may be of low order. */
function decapsulated(seed: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  try {
    return XWing.decapsulate(ciphertext, seed);
  } catch {
    throw new AuthenticationError();
  }
}
