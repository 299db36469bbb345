import type { HashName } from '../engine/contract.ts';
import { syntaxError } from './errors.ts';

/** The algorithm of a key, as its holder sees it. Lengths are in bits, as in the standard. */
export interface KeyAlgorithmInfo {
  readonly name: string;
  readonly length?: number;
  readonly hash?: { readonly name: HashName };
  /** ECDH, ECDSA */
  readonly namedCurve?: string;
  /** RSA */
  readonly modulusLength?: number;
  /** RSA: big-endian */
  readonly publicExponent?: Uint8Array;
  /** DH, DSA: modulus, generator, and its order where that is known. */
  readonly p?: bigint;
  readonly g?: bigint;
  readonly q?: bigint | undefined;
}

/** The content of a key: its bytes, or the platform's own key. */
export type KeyContent = Uint8Array | CryptoKey;

/**
 * The content of keys. It is not a property of the key, so that printing or cloning a key does not
 * disclose it.
 */
const CONTENT = new WeakMap<object, KeyContent>();

/** JSON of a CryptoKey is an empty object too. */
const toJSON = (): object => ({});

/**
 * A CryptoKey of this library: opaque and frozen. It is not the platform's CryptoKey, which cannot
 * hold keys for algorithms that the platform does not have.
 */
export class SubtleKey {
  readonly type: 'secret' | 'private' | 'public';
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithmInfo;
  /** Frozen. Its type is also that of a CryptoKey, which lacks the four usages of KEMs in TypeScript. */
  readonly usages: Usage[] & CryptoKeyUsage[];
  /**
   * Own, and a function: `structuredClone`, `postMessage` and IndexedDB refuse the key with DataCloneError.
   * They would make a plain object of it that is no key. Export the key, or wrap it, to keep it.
   */
  readonly toJSON: () => object = toJSON;

  /**
   * @param content owned by the key from now on
   * @throws SyntaxError (DOMException) if `usages` is empty, but for public keys
   */
  constructor(
    algorithm: KeyAlgorithmInfo,
    content: KeyContent,
    extractable: boolean,
    usages: readonly Usage[],
    type: SubtleKey['type'] = 'secret',
  ) {
    if (usages.length === 0 && type !== 'public') {
      throw syntaxError(`A ${type} key needs at least one usage`);
    }
    this.type = type;
    this.extractable = extractable;
    this.algorithm = Object.freeze(algorithm);
    this.usages = Object.freeze(normalizeUsages(usages)) as Usage[] & CryptoKeyUsage[];
    CONTENT.set(this, content);
    Object.freeze(this);
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}

/** CryptoKeyPair of the standard. */
export interface SubtleKeyPair {
  readonly publicKey: SubtleKey;
  readonly privateKey: SubtleKey;
}

/** @throws TypeError for anything but a key of this library */
export function toKey(what: string, value: unknown): SubtleKey {
  if (value instanceof SubtleKey && CONTENT.has(value)) return value;
  throw new TypeError(`${what} must be a key made by this library's subtle`);
}

/**
 * The bytes themselves, not a copy: for the engines, and for the export of extractable keys.
 * Keys of RSA and elliptic curves have none here.
 */
export function bytesOf(key: SubtleKey): Uint8Array {
  return CONTENT.get(key) as Uint8Array;
}

/** The platform's own key, behind keys of RSA and elliptic curves alone. */
export function platformKeyOf(key: SubtleKey): CryptoKey {
  return CONTENT.get(key) as CryptoKey;
}

/**
 * Overwrites the bytes of a key that will not be used again. The platform's memory, where keys of RSA
 * and elliptic curves are, cannot be overwritten.
 */
export function wipeKey(key: SubtleKey): void {
  const content = CONTENT.get(key);
  if (content instanceof Uint8Array) content.fill(0);
}

/** KeyUsage of the Web Cryptography API, in the order in which a key lists them. */
export const USAGES = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
] as const;
/** One of `USAGES`. */
export type Usage = (typeof USAGES)[number];

/** KeyUsage of the library "dom", by its words: apps without that library compile too. */
type CryptoKeyUsage = Exclude<Usage, `${'en' | 'de'}capsulate${string}`>;

/** "If usages contains a value which is not one of …, then throw a SyntaxError." */
export function checkUsages(
  name: string,
  usages: readonly Usage[],
  allowed: readonly Usage[],
): void {
  const wrong = usages.find((usage) => !allowed.includes(usage));
  if (wrong !== undefined) throw syntaxError(`A key for ${name} cannot be used to ${wrong}`);
}

/** Each once, in the order of the standard. */
export function normalizeUsages(usages: readonly Usage[]): Usage[] {
  return USAGES.filter((usage) => usages.includes(usage));
}
