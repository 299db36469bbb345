/** Adapts the key derivations of src/crypto to the engine contract. */
import { argon2 } from '../../crypto/kdf/argon2.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { pbkdf2 } from '../../crypto/kdf/pbkdf2.ts';
import { scrypt } from '../../crypto/kdf/scrypt.ts';
import type { Kdf, KdfName, KdfParams } from '../contract.ts';
import { HASHES } from './hashes.ts';

const NOTHING = new Uint8Array(0);

/** Every key derivation of src/crypto, by name. */
export const JS_KDFS: { readonly [A in KdfName]: Kdf<KdfParams[A]> } = {
  HKDF: {
    constantTime: 'by-construction',
    derive: (secret, { hash, salt, info }, lengthBytes) =>
      hkdf(HASHES[hash], secret, salt, info, lengthBytes),
  },
  PBKDF2: {
    constantTime: 'by-construction',
    // RFC 8018 requires at least one byte; the Web Cryptography API allows none.
    derive: (secret, { hash, salt, iterations }, lengthBytes) =>
      lengthBytes === 0
        ? NOTHING.slice()
        : pbkdf2(HASHES[hash], secret, salt, iterations, lengthBytes),
  },
  scrypt: {
    // The addresses of ROMix depend on the password: a property of scrypt.
    constantTime: 'no',
    // RFC 7914 requires at least one byte too.
    derive: (secret, { salt, ...cost }, lengthBytes) =>
      lengthBytes === 0 ? NOTHING.slice() : scrypt(secret, salt, cost, lengthBytes),
  },
  // The addresses depend on the password: a property of the function.
  Argon2d: {
    constantTime: 'no',
    derive: (secret, params, lengthBytes) => argon2('Argon2d', secret, params, lengthBytes),
  },
  Argon2i: {
    constantTime: 'by-construction',
    derive: (secret, params, lengthBytes) => argon2('Argon2i', secret, params, lengthBytes),
  },
  Argon2id: {
    // The addresses of its second half depend on the password: a property of Argon2id.
    constantTime: 'no',
    derive: (secret, params, lengthBytes) => argon2('Argon2id', secret, params, lengthBytes),
  },
};
