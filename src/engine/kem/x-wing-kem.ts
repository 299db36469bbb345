/** X-Wing for HPKE, with the ML-KEM-768 of src/crypto. */
import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { X_WING_ID } from '../../crypto/kdf/hpke.ts';
import { ML_KEMS } from '../../crypto/lattice/ml-kem.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import type { Awaitable } from '../contract.ts';
import type { Kem } from './kem.ts';
import type { X25519 } from './native-x25519.ts';
import { expandedSeed, xWing } from './x-wing.ts';

/** Section 5: seed 32; 1,184 + 32; 1,088 + 32; and 64 bytes of `eseed`. */
const { seedBytes, publicKeyBytes, ciphertextBytes, randomnessBytes } = KEMS['MLKEM768-X25519'];

/** @param x25519 called at each use, because selecting an implementation takes time */
export function xWingKem(x25519: () => Awaitable<X25519>): Kem {
  const kem = xWing({ x25519, mlKem: () => ML_KEMS['ML-KEM-768'] });
  return {
    id: X_WING_ID,
    privateKeyBytes: seedBytes,
    publicKeyBytes,
    encapsulatedBytes: ciphertextBytes,
    randomnessBytes,
    publicKey: async (seed) => kem.publicKey(seed),
    x25519Key(seed) {
      const { ownSeed, ownKey } = expandedSeed(seed);
      wipe(ownSeed);
      return ownKey;
    },
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
