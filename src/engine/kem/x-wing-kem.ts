/** X-Wing for HPKE, with ML-KEM-768 and the hashes of @noble. */
import { sha3_256, shake256 } from '@noble/hashes/sha3.js';
import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { X_WING_ID } from '../../crypto/kdf/hpke.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import type { Awaitable } from '../contract.ts';
import type { Kem } from './kem.ts';
import { ML_KEMS } from './ml-kem.ts';
import { X25519_BYTES, type X25519 } from './native-x25519.ts';
import { xWing } from './x-wing.ts';

/** Section 5: seed 32; 1,184 + 32; 1,088 + 32; and 64 bytes of `eseed`. */
const { seedBytes, publicKeyBytes, ciphertextBytes } = KEMS['MLKEM768-X25519'];
const RANDOMNESS_BYTES = 64;

/** The same under the names of an engine. @param x25519 called at each use */
export function nobleXWing(x25519: () => Awaitable<X25519>) {
  return xWing({
    x25519,
    mlKem: () => ML_KEMS['ML-KEM-768'],
    shake256: (data, dkLen) => shake256(data, { dkLen }),
    sha3: sha3_256,
  });
}

/** expandDecapsulationKey (section 5.2): what follows the seed of ML-KEM-768 */
function x25519KeyOf(seed: Uint8Array): Uint8Array {
  const mlKemBytes = KEMS['ML-KEM-768'].seedBytes;
  const expanded = shake256(seed, { dkLen: mlKemBytes + X25519_BYTES });
  try {
    return expanded.slice(mlKemBytes);
  } finally {
    wipe(expanded);
  }
}

/** @param x25519 called at each use, because selecting an implementation takes time */
export function xWingKem(x25519: () => Awaitable<X25519>): Kem {
  const kem = nobleXWing(x25519);
  return {
    id: X_WING_ID,
    privateKeyBytes: seedBytes,
    publicKeyBytes,
    encapsulatedBytes: ciphertextBytes,
    randomnessBytes: RANDOMNESS_BYTES,
    publicKey: async (seed) => kem.publicKey(seed),
    x25519Key: (seed) => x25519KeyOf(seed),
    /** The lengths are right, so a RangeError means a part of ML-KEM that is not reduced, or a point of low order. */
    async encapsulate(publicKey, eseed) {
      const { sharedKey, ciphertext } = await kem.encapsulate(publicKey, eseed);
      return { sharedSecret: sharedKey, encapsulated: ciphertext };
    },
    /** ML-KEM returns another secret for a foreign ciphertext; the X25519 part may be of low order. */
    async decapsulate(seed, encapsulated) {
      try {
        return await kem.decapsulate(seed, encapsulated);
      } catch (error) {
        throw error instanceof RangeError ? new AuthenticationError() : error;
      }
    },
  };
}
