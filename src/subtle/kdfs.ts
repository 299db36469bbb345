/** HKDF and PBKDF2 (Web Cryptography API, 32 and 33; RFC 5869 and RFC 8018). */
import type { HashName } from '../engine/contract.ts';
import type { Definition } from './definition.ts';
import { notSupported, operationError, syntaxError } from './errors.ts';
import { SubtleKey } from './key.ts';
import { checkUsages } from './usages.ts';

/** RFC 5869, section 2.3: the counter is one byte. */
const HKDF_MAX_BLOCKS = 255;

/** FIPS 180-4, figure 1. */
const DIGEST_BYTES: Readonly<Record<HashName, number>> = {
  'SHA-1': 20,
  'SHA-256': 32,
  'SHA-384': 48,
  'SHA-512': 64,
};

export const HKDF: Definition = {
  name: 'HKDF',
  deriveBits: (members) => {
    const hash = members.hash();
    const params = { hash, info: members.bytes('info'), salt: members.bytes('salt') };
    return async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('HKDF', lengthBits);
      if (lengthBytes > HKDF_MAX_BLOCKS * DIGEST_BYTES[hash]) {
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
    const hash = members.hash();
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

/** "If length is null or is not a multiple of 8, then throw an OperationError." 0 is allowed. */
function wholeBytes(name: string, lengthBits: number | null): number {
  if (lengthBits === null || lengthBits % 8 !== 0) {
    throw operationError(`${name}: length must be a multiple of 8`);
  }
  return lengthBits / 8;
}

/** Secrets to derive from: raw bytes of any length that never come out again. */
function secretKeys(name: 'HKDF' | 'PBKDF2'): Pick<Definition, 'importKey' | 'getKeyLength'> {
  return {
    importKey:
      () =>
      (material, { extractable, usages }) => {
        if (material.format !== 'raw' && material.format !== 'raw-secret') {
          throw notSupported(`${name}: keys have no format ${material.format}`);
        }
        checkUsages(name, usages, ['deriveKey', 'deriveBits']);
        if (extractable) throw syntaxError(`${name}: keys are not extractable`);
        return new SubtleKey({ name }, material.bytes, extractable, usages);
      },
    getKeyLength: () => () => null,
  };
}
