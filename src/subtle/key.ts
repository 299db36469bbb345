import type { HashName } from '../engine/contract.ts';
import { syntaxError } from './errors.ts';
import { normalizeUsages } from './usages.ts';
import type { Usage } from './usages.ts';

/** The algorithm of a key, as its holder sees it. Lengths are in bits, as in the standard. */
export interface KeyAlgorithmInfo {
  readonly name: string;
  readonly length?: number;
  readonly hash?: { readonly name: HashName };
}

/**
 * Where the bytes of keys are: not in the keys, so that no key can be printed, cloned or read by
 * whoever holds it.
 */
const BYTES = new WeakMap<object, Uint8Array>();

/**
 * A CryptoKey of this library: opaque and frozen. It is not the platform's CryptoKey, which cannot
 * hold keys for algorithms that the platform does not have.
 */
export class SubtleKey {
  readonly type = 'secret';
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithmInfo;
  readonly usages: readonly Usage[];

  /**
   * @param bytes the caller gives them away
   * @throws SyntaxError (DOMException) if `usages` is empty
   */
  constructor(
    algorithm: KeyAlgorithmInfo,
    bytes: Uint8Array,
    extractable: boolean,
    usages: readonly Usage[],
  ) {
    if (usages.length === 0) throw syntaxError('A secret key needs at least one usage');
    this.extractable = extractable;
    this.algorithm = Object.freeze(algorithm);
    this.usages = Object.freeze(normalizeUsages(usages));
    BYTES.set(this, bytes);
    Object.freeze(this);
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}

/** @throws TypeError for anything but a key of this library */
export function toKey(what: string, value: unknown): SubtleKey {
  if (value instanceof SubtleKey && BYTES.has(value)) return value;
  throw new TypeError(`${what} must be a key made by this library's subtle`);
}

/** The bytes themselves, not a copy: for the engines, and for the export of extractable keys. */
export function bytesOf(key: SubtleKey): Uint8Array {
  return BYTES.get(key)!;
}
