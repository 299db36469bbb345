/** The derivations that need memory: scrypt (RFC 7914) and Argon2id (WICG draft; RFC 9106). */
import type { Argon2Params, ScryptParams } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';
import { operationError } from '../errors.ts';
import { secretKeys, wholeBytes } from './kdf-keys.ts';
import type { Members } from '../webidl/members.ts';

export const SCRYPT: Definition = {
  name: 'scrypt',
  deriveBits: (members) => {
    const params = readScrypt(members);
    return async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('scrypt', lengthBits);
      checkScrypt(params);
      return runtime.derive('scrypt', params, key, lengthBytes);
    };
  },
  ...secretKeys('scrypt'),
};

export const ARGON2ID: Definition = {
  name: 'Argon2id',
  deriveBits: (members) => {
    const { version, ...params } = readArgon2(members);
    return async ({ runtime, key, lengthBits }) => {
      const lengthBytes = wholeBytes('Argon2id', lengthBits);
      if (lengthBytes < 4) throw operationError('Argon2id: length must be 32 or more');
      if (version !== 0x13) throw operationError('Argon2id: version must be 19');
      checkArgon2(params);
      return runtime.derive('Argon2id', params, key, lengthBytes);
    };
  },
  ...secretKeys('Argon2id'),
};

function readScrypt(members: Members): ScryptParams {
  return {
    N: members.integer('N', 32),
    p: members.integer('p', 32),
    r: members.integer('r', 32),
    salt: members.bytes('salt'),
  };
}

/** RFC 7914, section 2: N is a power of two, below 2^(128 r / 8); p at most (2^32 - 1) · 32 / 128 r. */
function checkScrypt({ N, r, p }: ScryptParams): void {
  if (r === 0 || p === 0 || r * p >= 2 ** 30) {
    throw operationError('scrypt: r and p must be 1 or more, r · p below 2^30');
  }
  if (N < 2 || N >= 2 ** (16 * r) || !Number.isInteger(Math.log2(N))) {
    throw operationError('scrypt: N must be a power of two, 2 or more, below 2^(16 r)');
  }
}

/** Argon2Params of the draft. */
function readArgon2(members: Members): Argon2Params & { readonly version: number } {
  return {
    associatedData: members.optionalBytes('associatedData'),
    memoryKiB: members.integer('memory', 32),
    nonce: members.bytes('nonce'),
    parallelism: members.integer('parallelism', 32),
    passes: members.integer('passes', 32),
    secret: members.optionalBytes('secretValue'),
    version: members.optionalInteger('version', 8) ?? 0x13,
  };
}

function checkArgon2({ memoryKiB, parallelism, passes }: Argon2Params): void {
  if (parallelism === 0 || parallelism >= 2 ** 24) {
    throw operationError('Argon2id: parallelism must be 1 to 2^24 - 1');
  }
  if (memoryKiB < 8 * parallelism) {
    throw operationError('Argon2id: memory must be 8 KiB or more for each lane');
  }
  if (passes === 0) throw operationError('Argon2id: passes must not be 0');
}
