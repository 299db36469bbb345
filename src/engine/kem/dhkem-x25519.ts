/** DHKEM(X25519, HKDF-SHA256) of HPKE (RFC 9180, section 4.1). */
import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { DHKEM_X25519_ID, dhkemX25519Secret } from '../../crypto/kdf/hpke.ts';
import type { Kem } from './kem.ts';
import { X25519_BYTES } from './native-x25519.ts';
import type { X25519 } from './native-x25519.ts';

/**
 * The KEM over an implementation of X25519.
 *
 * @param x25519 called at each use, because selecting an implementation takes time
 */
export function dhkemX25519(x25519: () => Promise<X25519>): Kem {
  return {
    id: DHKEM_X25519_ID,
    privateKeyBytes: X25519_BYTES,
    publicKeyBytes: X25519_BYTES,
    encapsulatedBytes: X25519_BYTES,
    randomnessBytes: X25519_BYTES,

    publicKey: async (privateKey) => (await x25519()).publicKey(privateKey),
    x25519Key: (privateKey) => privateKey.slice(),

    /** The randomness is the ephemeral private key, skE. */
    async encapsulate(publicKey, randomness) {
      const curve = await x25519();
      const dh = await curve.agree(randomness, publicKey);
      // Section 7.1.4: the sender must abort if the result is zero.
      if (!dh) throw new RangeError('publicKey: a point of low order');
      const encapsulated = await curve.publicKey(randomness);
      return { sharedSecret: secretOf(dh, encapsulated, publicKey), encapsulated };
    },

    async decapsulate(privateKey, encapsulated) {
      const curve = await x25519();
      const dh = await curve.agree(privateKey, encapsulated);
      if (!dh) throw new AuthenticationError();
      return secretOf(dh, encapsulated, await curve.publicKey(privateKey));
    },
  };
}

function secretOf(dh: Uint8Array, encapsulated: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const secret = dhkemX25519Secret(dh, encapsulated, publicKey);
  wipe(dh);
  return secret;
}
