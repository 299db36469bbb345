import type { PlatformName } from '../../engine/contract.ts';
import type { Format, KeyMaterial, KeyReaders, Reads } from './definition.ts';
import { invalidAccess, notSupported } from '../errors.ts';
import { checkHalves } from './pair-checks.ts';
import { checkKeyStructure, isCurve, type PairRules } from '../key-structure.ts';
import {
  checkUsages,
  platformKeyOf,
  SubtleKey,
  type KeyAlgorithmInfo,
  type Usage,
} from '../key.ts';

/**
 * Keys of RSA and elliptic curves: the platform generates, holds, imports and exports them as the Web
 * Cryptography API says. This file wraps them; `key-structure.ts` has checked what is imported before.
 */

/** The operations of such keys. The platform reads their parameters. */
interface KeyOperations extends Required<KeyReaders> {
  readonly generateKey: Reads<'generateKey'>;
  readonly importKey: Reads<'importKey'>;
}

/**
 * The public halves of private keys that were generated here and cannot be exported, for platforms without
 * `getPublicKey`.
 */
const PUBLIC_HALVES = new WeakMap<CryptoKey, CryptoKey>();

/** What ECDSA, Ed25519 and RSA allow the keys of signatures. */
export const SIGNING_KEYS: PairRules = {
  use: 'sig',
  privateUsages: ['sign'],
  publicUsages: ['verify'],
};

/** The key operations of an algorithm. */
export function platformKeys(name: PlatformName, rules: PairRules): KeyOperations {
  return {
    generateKey: (params) => {
      const algorithm: { readonly name: string; readonly namedCurve?: string } = {
        name,
        ...params,
      };
      return (runtime, { extractable, usages }) => {
        const { namedCurve } = algorithm;
        if (namedCurve !== undefined && !isCurve(namedCurve)) {
          throw notSupported(`${name}: there is no curve ${JSON.stringify(namedCurve)}`);
        }
        return runtime.platform(name, async (subtle) => {
          const wanted = extractable || runtime.keepsKeys;
          const made = await subtle.generateKey(algorithm, wanted, classic(name, usages));
          const { publicKey, privateKey } = made as CryptoKeyPair;
          PUBLIC_HALVES.set(privateKey, publicKey);
          return Object.freeze({
            publicKey: wrapped(publicKey, true),
            privateKey: wrapped(privateKey, extractable),
          });
        });
      };
    },
    importKey: (params) => {
      const algorithm = { name, ...params };
      return (material, { extractable, usages }, runtime) => {
        const isHidden = (runtime.keepsKeys || isPublic(material)) && !extractable;
        const given = copied(name, material, isHidden);
        return runtime.platform(name, async (subtle) => {
          const halves = checkKeyStructure(algorithm, rules, given, { extractable, usages });
          const wanted = extractable || isHidden;
          const key = await importInto(subtle, given, algorithm, wanted, usages);
          if (halves !== undefined) await checkHalves(subtle, halves);
          return wrapped(key, extractable);
        });
      };
    },
    exportKey: (format, key, runtime) =>
      runtime.platform(name, async (subtle) => {
        const wanted = nativeFormat(name, format);
        const type = { raw: 'public', spki: 'public', pkcs8: 'private', jwk: key.type }[wanted];
        if (key.type !== type) throw invalidAccess(`${name}: ${format} is for ${type} keys`);
        const exported = await subtle.exportKey(wanted, platformKeyOf(key));
        if (exported instanceof ArrayBuffer) return new Uint8Array(exported);
        // The standard gives keys of ECDSA no alg, Firefox does.
        const { alg: _alg, ...jwk } = exported;
        return name === 'ECDSA' ? jwk : exported;
      }),
    getPublicKey: (key, usages, runtime) =>
      runtime.platform(name, async (subtle) => {
        const asked = classic(name, usages);
        return wrapped(await publicHalf(subtle, name, platformKeyOf(key), asked), true);
      }),
  };
}

/** @throws NotSupportedError where the platform neither has such a method nor exports the key */
async function publicHalf(
  subtle: SubtleCrypto & { getPublicKey?(key: CryptoKey, usages: KeyUsage[]): Promise<CryptoKey> },
  name: string,
  key: CryptoKey,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  if (subtle.getPublicKey) return subtle.getPublicKey(key, usages);
  const known = PUBLIC_HALVES.get(key);
  if (known === undefined && !key.extractable) {
    throw notSupported(`${name}: this platform does not derive the public key of an imported key`);
  }
  const { kty, crv, x, y, n, e } = await subtle.exportKey('jwk', known ?? key);
  const jwk =
    kty === 'RSA'
      ? { kty, n: n!, e: e! }
      : { kty: kty!, crv: crv!, x: x!, ...(y !== undefined && { y }) };
  return subtle.importKey('jwk', jwk, key.algorithm, true, usages);
}

/** @throws SyntaxError for the usages of KEMs, which older platforms do not know at all */
function classic(name: string, usages: readonly Usage[]): KeyUsage[] {
  const isClassic = (usage: Usage): usage is KeyUsage => !/^(en|de)capsulate/.test(usage);
  checkUsages(name, usages, usages.filter(isClassic));
  return usages.filter(isClassic);
}

function importInto(
  subtle: SubtleCrypto,
  material: KeyMaterial,
  algorithm: { readonly name: string },
  extractable: boolean,
  usages: readonly Usage[],
): Promise<CryptoKey> {
  const asked = classic(algorithm.name, usages);
  if (material.format === 'jwk') {
    return subtle.importKey('jwk', material.jwk, algorithm, extractable, asked);
  }
  const format = nativeFormat(algorithm.name, material.format) as 'raw' | 'pkcs8' | 'spki';
  const bytes = material.bytes as Uint8Array<ArrayBuffer>;
  return subtle.importKey(format, bytes, algorithm, extractable, asked);
}

/**
 * Copies a JWK, because the caller may change it before the platform reads it.
 * @param isHidden `ext` does not count: who imports the key does not want it extractable
 */
function copied(name: string, material: KeyMaterial, isHidden: boolean): KeyMaterial {
  nativeFormat(name, material.format);
  if (material.format !== 'jwk') return material;
  const { key_ops: keyOps, ext, ...rest } = material.jwk;
  const jwk = {
    ...rest,
    ...(keyOps !== undefined && { key_ops: [...keyOps] }),
    ...(ext !== undefined && !isHidden && { ext }),
  };
  return { format: 'jwk', jwk };
}

/** A public key has no secret: the platform's own may be read, whatever its holder may do. */
function isPublic(material: KeyMaterial): boolean {
  return material.format === 'jwk' ? material.jwk.d === undefined : material.format !== 'pkcs8';
}

/** WICG draft: `raw-public` is another name of `raw`, which keys of RSA do not have. */
function nativeFormat(name: string, format: Format): Exclude<KeyFormat, 'raw-secret'> {
  const isRaw = format === 'raw' || format === 'raw-public';
  if (isRaw && !name.startsWith('RSA')) return 'raw';
  if (format === 'spki' || format === 'pkcs8' || format === 'jwk') return format;
  throw notSupported(`${name}: keys have no format ${format}`);
}

/**
 * The platform's key as a key of this library.
 *
 * @param extractable as the key's holder sees it; the platform's key may differ
 */
export function wrapped(key: CryptoKey, extractable: boolean): SubtleKey {
  return new SubtleKey(infoOf(key), key, extractable, key.usages, key.type);
}

/** The platform's description, frozen, with the known members only. */
function infoOf({ algorithm }: CryptoKey): KeyAlgorithmInfo {
  const { name, hash, namedCurve, modulusLength, publicExponent } = algorithm as KeyAlgorithmInfo;
  return {
    name,
    ...(hash && { hash: Object.freeze({ name: hash.name }) }),
    ...(namedCurve !== undefined && { namedCurve }),
    ...(modulusLength !== undefined && { modulusLength }),
    ...(publicExponent && { publicExponent: publicExponent.slice() }),
  };
}

/** Signing and verifying by the platform, which reads the parameters. */
export function platformSigning(name: PlatformName): {
  readonly sign: Reads<'sign'>;
  readonly verify: Reads<'verify'>;
} {
  return {
    sign: (params) => {
      const algorithm = { name, ...params };
      return ({ runtime, key, data }) =>
        runtime.platform(name, async (subtle) => {
          const signature = await subtle.sign(algorithm, platformKeyOf(key), source(data));
          return new Uint8Array(signature);
        });
    },
    verify: (params) => {
      const algorithm = { name, ...params };
      return ({ runtime, key, data, signature }) =>
        runtime.platform(name, (subtle) =>
          subtle.verify(algorithm, platformKeyOf(key), source(signature), source(data)),
        );
    },
  };
}

/** `subtle.ts` has copied both, so neither is in shared memory. */
function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
