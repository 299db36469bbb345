/** HKDF and PBKDF2 (Web Cryptography API, 32 and 33; RFC 5869 and RFC 8018). */
import { HASHES } from '../../engine/js/hashes.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';
import { secretKeys, wholeBytes } from './kdf-keys.ts';

/** RFC 5869, section 2.3: the counter is one byte. */
const HKDF_MAX_BLOCKS = 255;

export const HKDF: Definition = {
  name: 'HKDF',
  deriveBits: (members) => {
    const hash = members.macHash();
    const params = { hash, info: members.bytes('info'), salt: members.bytes('salt') };
    return async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('HKDF', lengthBits);
      if (lengthBytes > HKDF_MAX_BLOCKS * HASHES[hash].digestBytes) {
        throw operationError(`HKDF: ${lengthBytes} bytes are more than 255 blocks of ${hash}`);
      }
      return runtime.derive('HKDF', params, key, lengthBytes);
    };
  },
  ...secretKeys('HKDF'),
};

export const PBKDF2: Definition = {
  name: 'PBKDF2',
  deriveBits: (members) => {
    const hash = members.macHash();
    const iterations = members.integer('iterations', 32);
    const params = { hash, iterations, salt: members.bytes('salt') };
    return async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('PBKDF2', lengthBits);
      if (iterations === 0) throw operationError('PBKDF2: iterations must not be 0');
      return runtime.derive('PBKDF2', params, key, lengthBytes);
    };
  },
  ...secretKeys('PBKDF2'),
};
