import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { ARGON2_NAMES, type Argon2Name } from '../../crypto/kdf/argon2.ts';
import type { Definition, DefinitionOf, Reads } from './definition.ts';
import { operationError, notSupported, syntaxError } from '../errors.ts';
import type { KdfName, Argon2Params, ScryptParams } from '../../engine/contract.ts';
import { macHash } from './hmac.ts';
import { SubtleKey, checkUsages } from '../key.ts';

/** HKDF and PBKDF2 (Web Cryptography API, 32 and 33; RFC 5869 and RFC 8018). */

/** RFC 5869, section 2.3: the counter is one byte. */
const HKDF_MAX_BLOCKS = 255;

/** RFC 5869. */
const HKDF: DefinitionOf<'HKDF'> = {
  name: 'HKDF',
  deriveBits: ({ hash: given, info, salt }) => {
    const hash = macHash('HKDF', given);
    const params = { hash, info, salt };
    return ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('HKDF', lengthBits);
      if (lengthBytes > HKDF_MAX_BLOCKS * HASH_SIZES[hash].digestBytes) {
        throw operationError(`HKDF: ${lengthBytes} bytes are more than 255 blocks of ${hash}`);
      }
      return runtime.derive('HKDF', params, key, lengthBytes);
    };
  },
  ...secretKeys('HKDF'),
};

/** RFC 8018, section 5.2. */
const PBKDF2: DefinitionOf<'PBKDF2'> = {
  name: 'PBKDF2',
  deriveBits: ({ hash, iterations, salt }) => {
    const params = { hash: macHash('PBKDF2', hash), iterations, salt };
    return ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('PBKDF2', lengthBits);
      if (iterations === 0) throw operationError('PBKDF2: iterations must not be 0');
      return runtime.derive('PBKDF2', params, key, lengthBytes);
    };
  },
  ...secretKeys('PBKDF2'),
};

/** "If length is null or is not a multiple of 8, then throw an OperationError." 0 is allowed. */
export function wholeBytes(name: KdfName, lengthBits: number | null): number {
  if (lengthBits === null || lengthBits % 8 !== 0) {
    throw operationError(`${name}: length must be a multiple of 8`);
  }
  return lengthBits / 8;
}

/** The key operations of secrets to derive from: raw bytes of any length, never exported. */
export function secretKeys(name: KdfName): {
  readonly importKey: Reads<'importKey'>;
  readonly getKeyLength: Reads<'getKeyLength'>;
} {
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

/** The derivations that need memory: scrypt (RFC 7914) and Argon2 (WICG draft; RFC 9106). */

/** RFC 7914. */
const SCRYPT: DefinitionOf<'scrypt'> = {
  name: 'scrypt',
  deriveBits:
    (params) =>
    ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('scrypt', lengthBits);
      checkScrypt(params);
      return runtime.derive('scrypt', params, key, lengthBytes);
    },
  ...secretKeys('scrypt'),
};

/** RFC 9106, version 0x13. The length must be 32 bits or more. */
const ARGON2: readonly DefinitionOf<Argon2Name>[] = ARGON2_NAMES.map((name) => ({
  name,
  instead: { salt: 'it is called nonce' },
  deriveBits:
    ({ associatedData, memory, nonce, parallelism, passes, secretValue, version = 0x13 }) =>
    async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes(name, lengthBits);
      if (lengthBytes < 4) throw operationError(`${name}: length must be 32 or more`);
      if (version !== 0x13) throw operationError(`${name}: version must be 19`);
      const costs = { memoryKiB: memory, parallelism, passes };
      checkArgon2(name, costs);
      const params: Argon2Params = { ...costs, associatedData, nonce, secret: secretValue };
      return runtime.derive(name, params, key, lengthBytes);
    },
  ...secretKeys(name),
}));

/** RFC 7914, section 2: N is a power of two, below 2^(128 r / 8); p at most (2^32 - 1) · 32 / 128 r. */
function checkScrypt({ N, r, p }: ScryptParams): void {
  if (r === 0 || p === 0 || r * p >= 2 ** 30) {
    throw operationError('scrypt: r and p must be 1 or more, r · p below 2^30');
  }
  if (N < 2 || N >= 2 ** (16 * r) || !Number.isInteger(Math.log2(N))) {
    throw operationError('scrypt: N must be a power of two, 2 or more, below 2^(16 r)');
  }
}

type Argon2Costs = Pick<Argon2Params, 'memoryKiB' | 'parallelism' | 'passes'>;

function checkArgon2(name: string, { memoryKiB, parallelism, passes }: Argon2Costs): void {
  if (parallelism === 0 || parallelism >= 2 ** 24) {
    throw operationError(`${name}: parallelism must be 1 to 2^24 - 1`);
  }
  if (memoryKiB < 8 * parallelism) {
    throw operationError(`${name}: memory must be 8 KiB or more for each lane`);
  }
  if (passes === 0) throw operationError(`${name}: passes must not be 0`);
}

/** The key derivations. */
export const KDFS: readonly Definition[] = [HKDF, PBKDF2, SCRYPT, ...ARGON2];
