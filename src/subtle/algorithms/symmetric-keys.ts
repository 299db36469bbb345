/**
 * Making, importing and exporting the keys of ciphers and MACs: the same steps for each (Web
 * Cryptography API, 25–28; WICG draft, ChaCha20-Poly1305).
 */
import type { Format, KeyMaterial, KeyReaders, Reads } from './definition.ts';
import { dataError, notSupported, operationError } from '../errors.ts';
import { fromJwk, toJwk } from '../jwk.ts';
import type { JwkRules } from '../jwk.ts';
import { bytesOf, SubtleKey, checkUsages, type Usage } from '../key.ts';

/** The usages of a key for a cipher. */
export const CIPHER_USAGES: readonly Usage[] = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

/**
 * The IANA JOSE registry has A128GCM, A128CTR, A128CBC, A128KW …; the WICG draft adds A128OCB. The
 * other modes are named in the same manner.
 */
export const jwkAlgOfAes = (name: string, keyBits: number): string =>
  `A${keyBits}${name.slice('AES-'.length)}`;

/** How the keys of one algorithm look. */
export interface SymmetricKeyRules {
  /** The algorithm that the keys are for. */
  readonly name: string;
  /** Lengths of its keys. A single length is no parameter and no member, as in the WICG draft. */
  readonly bits: readonly number[];
  /** What such a key may be used for. */
  readonly usages: readonly Usage[];
  /** The `use` of such a key as a JWK. */
  readonly use: JwkRules['use'];
  /** Its `alg`; undefined if none is registered. */
  readonly alg: (keyBits: number) => string | undefined;
}

/** Absent where keys have one length only. */
interface LengthParams {
  readonly length?: number | undefined;
}

interface KeyOperations extends Required<Pick<KeyReaders, 'exportKey'>> {
  readonly generateKey: Reads<'generateKey', LengthParams>;
  readonly importKey: Reads<'importKey'>;
  readonly getKeyLength: Reads<'getKeyLength', LengthParams>;
}

/**
 * The key operations of an algorithm.
 *
 * @returns operations that throw DataError for material of a wrong length
 */
export function symmetricKeys(rules: SymmetricKeyRules): KeyOperations {
  const { name, bits, usages: allowed } = rules;
  const jwkRules: JwkRules = { use: rules.use, algFor: (bytes) => jwkAlg(rules, 8 * bytes) };
  const info = (length: number) => (bits.length === 1 ? { name } : { name, length });
  return {
    generateKey:
      ({ length = bits[0]! }) =>
      ({ random }, { extractable, usages }) => {
        checkUsages(name, usages, allowed);
        checkLength(rules, length);
        return new SubtleKey(info(length), random.bytes(length / 8), extractable, usages);
      },
    importKey: () => (material, requested) => {
      checkUsages(name, requested.usages, allowed);
      const bytes = read(name, material, (jwk) => fromJwk(jwk, jwkRules, requested));
      const length = 8 * bytes.length;
      if (!bits.includes(length)) throw dataError(`${name}: a key has ${list(bits)} bits`);
      return new SubtleKey(info(length), bytes, requested.extractable, requested.usages);
    },
    exportKey: (format, key) => write(name, format, key, jwkRules),
    getKeyLength:
      ({ length = bits[0]! }) =>
      () =>
        checkLength(rules, length),
  };
}

/** The bytes of key material: raw bytes unchanged, a JWK by `fromJwk`. HMAC uses it too. */
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

/** The key in a format; the inverse of `read`. HMAC uses it too. */
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

function checkLength({ name, bits }: SymmetricKeyRules, length: number): number {
  if (!bits.includes(length)) throw operationError(`${name}: length must be ${list(bits)}`);
  return length;
}

function jwkAlg({ name, bits, alg }: SymmetricKeyRules, keyBits: number): string | undefined {
  if (!bits.includes(keyBits)) throw dataError(`${name}: k has ${keyBits} bits`);
  return alg(keyBits);
}

function list(bits: readonly number[]): string {
  return bits.join(', ').replace(/, (\d+)$/, ' or $1');
}
