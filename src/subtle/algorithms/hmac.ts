/** HMAC (Web Cryptography API, 31; FIPS 198-1). */
import type { MacHashName } from '../../engine/contract.ts';
import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { read, write } from './symmetric-keys.ts';
import { firstBits } from '../params.ts';
import type { Definition } from './definition.ts';
import { dataError, operationError } from '../errors.ts';
import { fromJwk } from '../jwk.ts';
import type { JwkRules } from '../jwk.ts';
import { SubtleKey, checkUsages, type Usage } from '../key.ts';

const USAGES: readonly Usage[] = ['sign', 'verify'];

/** HMAC over every hash of the standard, and SHA-3. */
export const HMAC: Definition = {
  name: 'HMAC',
  sign:
    () =>
    ({ runtime, key, data }) =>
      runtime.mac('HMAC', hashOf(key), key, data.length, (keyed) => keyed.sign(data)),
  verify:
    () =>
    ({ runtime, key, data, signature }) =>
      runtime.mac('HMAC', hashOf(key), key, data.length, (keyed) => keyed.verify(signature, data)),
  generateKey: (members) => {
    const hash = members.macHash();
    const length = members.optionalInteger('length', 32) ?? blockBits(hash);
    return ({ random }, { extractable, usages }) => {
      checkUsages('HMAC', usages, USAGES);
      if (length === 0) throw operationError('HMAC: length must not be 0');
      const bytes = firstBits(random.bytes(Math.ceil(length / 8)), length);
      return new SubtleKey(algorithm(hash, length), bytes, extractable, usages);
    };
  },
  importKey: (members) => {
    const hash = members.macHash();
    const wanted = members.optionalInteger('length', 32);
    return (material, requested) => {
      checkUsages('HMAC', requested.usages, USAGES);
      const bytes = read('HMAC', material, (jwk) => fromJwk(jwk, rulesFor(hash), requested));
      const length = checkLength(bytes.length, wanted);
      const key = firstBits(bytes, length);
      return new SubtleKey(algorithm(hash, length), key, requested.extractable, requested.usages);
    };
  },
  exportKey: (format, key) => write('HMAC', format, key, rulesFor(hashOf(key))),
  getKeyLength: (members) => {
    const hash = members.macHash();
    const length = members.optionalInteger('length', 32) ?? blockBits(hash);
    return () => {
      if (length === 0) throw new TypeError('HMAC: length must not be 0');
      return length;
    };
  },
};

/** The block that the hash works on, which is the usual length of a key. */
function blockBits(hash: MacHashName): number {
  return 8 * HASH_SIZES[hash].blockBytes;
}

function algorithm(hash: MacHashName, length: number) {
  return { name: 'HMAC', hash: Object.freeze({ name: hash }), length };
}

function hashOf(key: SubtleKey): MacHashName {
  return key.algorithm.hash!.name as MacHashName;
}

/** Any number of bytes but 0; a wanted length must need just as many. */
function checkLength(keyBytes: number, wanted: number | undefined): number {
  const bits = 8 * keyBytes;
  if (bits === 0) throw dataError('HMAC: a key must not be empty');
  if (wanted === undefined) return bits;
  if (wanted > bits || wanted <= bits - 8) {
    throw dataError(`HMAC: ${keyBytes} bytes cannot be a key of ${wanted} bits`);
  }
  return wanted;
}

/**
 * RFC 7518, section 3.2: HS256 …; the standard calls SHA-1's HS1. For SHA-3 no name is
 * registered; Node and Deno use HS3-256 ….
 */
function rulesFor(hash: MacHashName): JwkRules {
  return { use: 'sig', algFor: () => `HS${hash.replace(/^SHA-?/, '')}` };
}
