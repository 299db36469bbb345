/** The key derivations of floor 0 in the shape of the engine contract. */
import { hkdf } from '../crypto/kdf/hkdf.ts';
import { pbkdf2 } from '../crypto/kdf/pbkdf2.ts';
import type { Kdf, KdfName, KdfParams } from './contract.ts';
import { HASHES } from './js-hashes.ts';

export const JS_KDFS: { readonly [A in KdfName]: Kdf<KdfParams[A]> } = {
  HKDF: {
    constantTime: 'by-construction',
    derive: (secret, { hash, salt, info }, lengthBytes) =>
      hkdf(HASHES[hash], secret, salt, info, lengthBytes),
  },
  PBKDF2: {
    constantTime: 'by-construction',
    // RFC 8018 begins at one byte; the Web Cryptography API allows none.
    derive: (secret, { hash, salt, iterations }, lengthBytes) =>
      lengthBytes === 0
        ? new Uint8Array(0)
        : pbkdf2(HASHES[hash], secret, salt, iterations, lengthBytes),
  },
};
