import type { PlatformName } from '../../engine/contract.ts';
import type { Definition, Format, KeyMaterial } from './definition.ts';
import { notSupported } from '../errors.ts';
import { platformKeyOf, SubtleKey, type KeyAlgorithmInfo, type Usage } from '../key.ts';
import type { Members } from '../webidl/members.ts';

/**
 * Keys of RSA and elliptic curves: the platform generates, holds, imports and exports them as the Web
 * Cryptography API says. This file only wraps them and never reads their bytes.
 */

/** The parameters of a key, for the platform. */
type ReadParams = (members: Members) => object;

type KeyOperations = Required<Pick<Definition, 'generateKey' | 'importKey' | 'exportKey'>>;

/** @param readGenerate, readImport the parameters beside the name */
export function platformKeys(
  name: PlatformName,
  readGenerate: ReadParams,
  readImport: ReadParams,
): KeyOperations {
  return {
    generateKey: (members) => {
      const algorithm = { name, ...readGenerate(members) };
      return (runtime, { extractable, usages }) =>
        runtime.platform(name, async (subtle) => {
          const made = await subtle.generateKey(algorithm, extractable || runtime.keepsKeys, [
            ...usages,
          ]);
          const { publicKey, privateKey } = made as CryptoKeyPair;
          return Object.freeze({
            publicKey: wrapped(publicKey, true),
            privateKey: wrapped(privateKey, extractable),
          });
        });
    },
    importKey: (members) => {
      const algorithm = { name, ...readImport(members) };
      return (material, { extractable, usages }, runtime) => {
        const isHidden = runtime.keepsKeys && !extractable;
        const given = copied(name, material, isHidden);
        return runtime.platform(name, async (subtle) => {
          const wanted = extractable || isHidden;
          const key = await importInto(subtle, given, algorithm, wanted, usages);
          return wrapped(key, extractable);
        });
      };
    },
    exportKey: (format, key, runtime) =>
      runtime.platform(name, async (subtle) => {
        const exported = await subtle.exportKey(nativeFormat(name, format), platformKeyOf(key));
        return exported instanceof ArrayBuffer ? new Uint8Array(exported) : exported;
      }),
  };
}

function importInto(
  subtle: SubtleCrypto,
  material: KeyMaterial,
  algorithm: { readonly name: string },
  extractable: boolean,
  usages: readonly Usage[],
): Promise<CryptoKey> {
  if (material.format === 'jwk') {
    return subtle.importKey('jwk', material.jwk, algorithm, extractable, usages);
  }
  const format = nativeFormat(algorithm.name, material.format) as 'raw' | 'pkcs8' | 'spki';
  const bytes = material.bytes as Uint8Array<ArrayBuffer>;
  return subtle.importKey(format, bytes, algorithm, extractable, usages);
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

function nativeFormat(name: string, format: Format): KeyFormat {
  if (format !== 'raw-secret') return format;
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

/** Signing and verifying by the platform. @param read the parameters beside the name */
export function platformSigning(
  name: PlatformName,
  read: (members: Members) => object,
): Required<Pick<Definition, 'sign' | 'verify'>> {
  return {
    sign: (members) => {
      const algorithm = { name, ...read(members) };
      return ({ runtime, key, data }) =>
        runtime.platform(name, async (subtle) => {
          const signature = await subtle.sign(algorithm, platformKeyOf(key), source(data));
          return new Uint8Array(signature);
        });
    },
    verify: (members) => {
      const algorithm = { name, ...read(members) };
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
