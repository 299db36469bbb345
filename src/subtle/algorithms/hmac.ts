/** The MACs whose keys have any length: HMAC (Web Cryptography API, 31; FIPS 198-1) and KMAC (WICG draft; SP 800-185). */
import type { KeyedKmac, KmacName, MacHashName } from '../../engine/contract.ts';
import type { KmacParams } from '../../crypto/mac/kmac.ts';
import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { read, write } from './symmetric-keys.ts';
import { firstBits } from '../params.ts';
import type { Definition } from './definition.ts';
import { outputBytes } from './digests.ts';
import { dataError, operationError } from '../errors.ts';
import { fromJwk } from '../jwk.ts';
import type { JwkRules } from '../jwk.ts';
import { SubtleKey, checkUsages, type Usage } from '../key.ts';
import type { Members } from '../webidl/members.ts';

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
      if (bytes.length === 0) throw dataError('HMAC: a key must not be empty');
      const length = checkLength('HMAC', bytes.length, wanted);
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

/** A wanted length must need just as many bytes as there are. @returns the length in bits */
function checkLength(name: string, keyBytes: number, wanted: number | undefined): number {
  const bits = 8 * keyBytes;
  if (wanted === undefined) return bits;
  if (wanted > bits || wanted <= bits - 8) {
    throw dataError(`${name}: ${keyBytes} bytes cannot be a key of ${wanted} bits`);
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

/** KMAC128 and KMAC256. */
export const KMACS: readonly Definition[] = [kmac('KMAC128', 128), kmac('KMAC256', 256)];

/** @param usualBits length of a key, unless it is given */
function kmac(name: KmacName, usualBits: number): Definition {
  // The draft's K128 and K256
  const rules: JwkRules = { use: 'sig', algFor: () => `K${usualBits}` };
  return {
    name,
    sign: (members) => {
      const checked = readKmac(name, members);
      return async ({ runtime, key, data }) => {
        const params = checked();
        return runtime.kmac(name, key, data.length, (keyed) => keyed.sign(params, data));
      };
    },
    verify: (members) => {
      const checked = readKmac(name, members);
      return async ({ runtime, key, data, signature }) => {
        const params = checked();
        const verify = (keyed: KeyedKmac) => keyed.verify(params, signature, data);
        return runtime.kmac(name, key, data.length, verify);
      };
    },
    generateKey: (members) => {
      const length = members.optionalInteger('length', 32) ?? usualBits;
      return ({ random }, { extractable, usages }) => {
        checkUsages(name, usages, USAGES);
        if (length === 0) throw operationError(`${name}: length must not be 0`);
        const bytes = firstBits(random.bytes(Math.ceil(length / 8)), length);
        return new SubtleKey({ name, length }, bytes, extractable, usages);
      };
    },
    importKey: (members) => {
      const wanted = members.optionalInteger('length', 32);
      return (material, requested) => {
        const { extractable, usages } = requested;
        checkUsages(name, usages, USAGES);
        const bytes = read(name, material, (jwk) => fromJwk(jwk, rules, requested));
        const length = checkLength(name, bytes.length, wanted);
        return new SubtleKey({ name, length }, firstBits(bytes, length), extractable, usages);
      };
    },
    exportKey: (format, key) => write(name, format, key, rules),
    getKeyLength: (members) => {
      const length = members.optionalInteger('length', 32) ?? usualBits;
      return () => length;
    },
  };
}

/** KmacParams of the draft. */
function readKmac(name: KmacName, members: Members): () => KmacParams {
  const customization = members.optionalBytes('customization');
  const bits = members.integer('outputLength', 32);
  return () => {
    // SP 800-185, section 8.4.2. A tag of 0 bits would verify for every message.
    if (bits < 32) throw operationError(`${name}: outputLength must be 32 or more`);
    return { outputBytes: outputBytes(name, bits), customization };
  };
}
