/** AES-KW (Web Cryptography API, 30; RFC 3394). */
import { aesKeys } from './aes.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';

/** RFC 3394, section 2: 64-bit halves, at least two of them. */
const HALF_BYTES = 8;
const MIN_BYTES = 16;

export const AES_KW: Definition = {
  name: 'AES-KW',
  wrapKey: () => async (work) => {
    if (work.data.length % HALF_BYTES !== 0 || work.data.length < MIN_BYTES) {
      throw operationError('AES-KW: the key must have 16 bytes or more, a multiple of 8');
    }
    return work.runtime.encrypt('AES-KW', {}, work);
  },
  unwrapKey: () => (work) => work.runtime.decrypt('AES-KW', {}, work),
  ...aesKeys('AES-KW', { usages: ['wrapKey', 'unwrapKey'] }),
};
