/** Making, importing and exporting AES keys: the same for every mode (Web Cryptography API, 25–28). */
import type { Definition, Format, KeyMaterial } from './definition.ts';
import { dataError, notSupported, operationError } from './errors.ts';
import { fromJwk, toJwk } from './jwk.ts';
import type { JwkRules } from './jwk.ts';
import { bytesOf, SubtleKey } from './key.ts';
import { checkUsages } from './usages.ts';
import type { Usage } from './usages.ts';

/** FIPS 197, table 3. */
const KEY_BITS: readonly number[] = [128, 192, 256];

export const CIPHER_USAGES: readonly Usage[] = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

type KeyOperations = Required<
  Pick<Definition, 'generateKey' | 'importKey' | 'exportKey' | 'getKeyLength'>
>;

/**
 * @param name the algorithm that the keys are for
 * @param allowed the usages that such a key may have
 * @param use the `use` of such a key as a JWK
 */
export function aesKeys(
  name: string,
  allowed: readonly Usage[],
  use: JwkRules['use'] = 'enc',
): KeyOperations {
  const rules: JwkRules = { use, algFor: (keyBytes) => jwkAlg(name, keyBytes) };
  return {
    generateKey: (members) => {
      const length = members.integer('length', 16);
      return (random, { extractable, usages }) => {
        checkUsages(name, usages, allowed);
        checkLength(length);
        return new SubtleKey({ name, length }, random.bytes(length / 8), extractable, usages);
      };
    },
    importKey: () => (material, wish) => {
      checkUsages(name, wish.usages, allowed);
      const bytes = read(name, material, (jwk) => fromJwk(jwk, rules, wish));
      const length = 8 * bytes.length;
      if (!KEY_BITS.includes(length)) throw dataError(`${name}: a key has 128, 192 or 256 bits`);
      return new SubtleKey({ name, length }, bytes, wish.extractable, wish.usages);
    },
    exportKey: (format, key) => write(name, format, key, rules),
    getKeyLength: (members) => {
      const length = members.integer('length', 16);
      return () => checkLength(length);
    },
  };
}

/** Raw bytes as they are; a JWK by `fromJwk`. Shared with HMAC. */
export function read(
  name: string,
  material: KeyMaterial,
  fromJwk: (jwk: JsonWebKey) => Uint8Array,
): Uint8Array {
  switch (material.format) {
    case 'raw':
    case 'raw-secret':
      return material.bytes;
    case 'jwk':
      return fromJwk(material.jwk);
    default:
      throw notSupported(`${name}: keys have no format ${material.format}`);
  }
}

/** The other way. Shared with HMAC. */
export function write(
  name: string,
  format: Format,
  key: SubtleKey,
  rules: JwkRules,
): Uint8Array | JsonWebKey {
  switch (format) {
    case 'raw':
    case 'raw-secret':
      return bytesOf(key).slice();
    case 'jwk':
      return toJwk(key, rules);
    default:
      throw notSupported(`${name}: keys have no format ${format}`);
  }
}

function checkLength(bits: number): number {
  if (!KEY_BITS.includes(bits)) throw operationError('AES: length must be 128, 192 or 256');
  return bits;
}

/**
 * The IANA JOSE registry has A128GCM, A128CTR, A128CBC, A128KW …; the WICG draft adds A128OCB. The
 * other modes are named in the same manner.
 */
function jwkAlg(name: string, keyBytes: number): string {
  if (!KEY_BITS.includes(8 * keyBytes)) throw dataError(`${name}: k has ${keyBytes} bytes`);
  return `A${8 * keyBytes}${name.slice('AES-'.length)}`;
}
