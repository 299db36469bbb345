/** The MACs whose keys have any length: HMAC (Web Cryptography API, 31; FIPS 198-1) and KMAC (WICG draft; SP 800-185). */
import type { HashName, KeyedKmac, KmacName, MacHashName } from '../../engine/contract.ts';
import type { KmacParams } from '../../crypto/mac/kmac.ts';
import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { read, write } from './symmetric-keys.ts';
import { firstBits } from '../params.ts';
import type { Definition, DefinitionOf, ParamsFor } from './definition.ts';
import { outputBytes } from './digests.ts';
import { dataError, notSupported, operationError } from '../errors.ts';
import { fromJwk } from '../jwk.ts';
import type { JwkRules } from '../jwk.ts';
import { SubtleKey, checkUsages, type Usage } from '../key.ts';

const USAGES: readonly Usage[] = ['sign', 'verify'];

/** HMAC over every hash of the standard, and SHA-3. */
const HMAC: DefinitionOf<'HMAC'> = {
  name: 'HMAC',
  sign:
    () =>
    ({ runtime, key, data }) =>
      runtime.mac('HMAC', hashOf(key), key, data.length, (keyed) => keyed.sign(data)),
  verify:
    () =>
    ({ runtime, key, data, signature }) =>
      runtime.mac('HMAC', hashOf(key), key, data.length, (keyed) => keyed.verify(signature, data)),
  generateKey: (params) => {
    const hash = macHash('HMAC', params.hash);
    const { length = blockBits(hash) } = params;
    return ({ random }, { extractable, usages }) => {
      checkUsages('HMAC', usages, USAGES);
      if (length === 0) throw operationError('HMAC: length must not be 0');
      const bytes = firstBits(random.bytes(Math.ceil(length / 8)), length);
      return new SubtleKey(algorithm(hash, length), bytes, extractable, usages);
    };
  },
  importKey: (params) => {
    const hash = macHash('HMAC', params.hash);
    return (material, requested) => {
      checkUsages('HMAC', requested.usages, USAGES);
      const bytes = read('HMAC', material, (jwk) => fromJwk(jwk, rulesFor(hash), requested));
      if (bytes.length === 0) throw dataError('HMAC: a key must not be empty');
      const length = checkLength('HMAC', bytes.length, params.length);
      const key = firstBits(bytes, length);
      return new SubtleKey(algorithm(hash, length), key, requested.extractable, requested.usages);
    };
  },
  exportKey: (format, key) => write('HMAC', format, key, rulesFor(hashOf(key))),
  getKeyLength: (params) => {
    const { length = blockBits(macHash('HMAC', params.hash)) } = params;
    return () => {
      if (length === 0) throw new TypeError('HMAC: length must not be 0');
      return length;
    };
  },
};

/** BLAKE2b and BLAKE3 have keyed modes of their own, so HMAC over them is not defined. @throws NotSupportedError */
export function macHash(name: string, hash: HashName): MacHashName {
  if (hash !== 'BLAKE2b' && hash !== 'BLAKE3') return hash;
  throw notSupported(`${name} is not defined over ${hash}`);
}

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
const KMACS: readonly DefinitionOf<KmacName>[] = [kmac('KMAC128', 128), kmac('KMAC256', 256)];

/** @param usualBits length of a key, unless it is given */
function kmac(name: KmacName, usualBits: number): DefinitionOf<KmacName> {
  // The draft's K128 and K256
  const rules: JwkRules = { use: 'sig', algFor: () => `K${usualBits}` };
  return {
    name,
    sign:
      (given) =>
      async ({ runtime, key, data }) => {
        const params = checkedKmac(name, given);
        return runtime.kmac(name, key, data.length, (keyed) => keyed.sign(params, data));
      },
    verify:
      (given) =>
      async ({ runtime, key, data, signature }) => {
        const params = checkedKmac(name, given);
        const verify = (keyed: KeyedKmac) => keyed.verify(params, signature, data);
        return runtime.kmac(name, key, data.length, verify);
      },
    generateKey:
      ({ length = usualBits }) =>
      ({ random }, { extractable, usages }) => {
        checkUsages(name, usages, USAGES);
        if (length === 0) throw operationError(`${name}: length must not be 0`);
        const bytes = firstBits(random.bytes(Math.ceil(length / 8)), length);
        return new SubtleKey({ name, length }, bytes, extractable, usages);
      },
    importKey:
      ({ length: wanted }) =>
      (material, requested) => {
        const { extractable, usages } = requested;
        checkUsages(name, usages, USAGES);
        const bytes = read(name, material, (jwk) => fromJwk(jwk, rules, requested));
        const length = checkLength(name, bytes.length, wanted);
        return new SubtleKey({ name, length }, firstBits(bytes, length), extractable, usages);
      },
    exportKey: (format, key) => write(name, format, key, rules),
    getKeyLength:
      ({ length = usualBits }) =>
      () =>
        length,
  };
}

/** KmacParams of the draft. */
function checkedKmac(
  name: KmacName,
  { customization, outputLength }: ParamsFor<KmacName, 'sign'>,
): KmacParams {
  // SP 800-185, section 8.4.2. A tag of 0 bits would verify for every message.
  if (outputLength < 32) throw operationError(`${name}: outputLength must be 32 or more`);
  return { outputBytes: outputBytes(name, outputLength), customization };
}

/** The MACs whose keys have any length. */
export const MACS: readonly Definition[] = [HMAC, ...KMACS];
