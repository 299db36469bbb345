import type { WireKeyInfo } from '../../../src/rpc/methods/subtle-values.ts';
import {
  defineProperty,
  freeze,
  isArray,
  keys,
  isUint8Array,
  SafeUint8Array,
} from '../../../src/rpc/primordials.ts';
import { SafeBigInt, SafeTypeError, SafeWeakMap } from '../primordials.ts';

type Algorithm = WireKeyInfo['algorithm'];

/** The extension's handle of each key. Only objects that were made here have one. */
const HANDLES = new SafeWeakMap<object, string>();
const MAKING = freeze({});

/** JSON of a CryptoKey is an empty object too. */
const toJSON = freeze((): object => ({}));

/**
 * A CryptoKey whose key material stays in the extension, for this document only. It is frozen, and a copy
 * of it is not a key.
 */
export class SealwrightKey {
  readonly type: WireKeyInfo['type'];
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
  /**
   * Own, and a function: `structuredClone`, `postMessage` and IndexedDB refuse the key with DataCloneError.
   * They would make a plain object of it that is not a key.
   */
  readonly toJSON: () => object;

  /** @throws TypeError for pages: keys come from `subtle` */
  constructor(making: unknown, info: WireKeyInfo) {
    if (making !== MAKING) throw new SafeTypeError('Illegal constructor');
    this.type = info.type;
    this.extractable = info.extractable;
    this.algorithm = algorithmOf(info.algorithm);
    this.usages = copied(info.usages);
    this.toJSON = toJSON;
    HANDLES.set(this, info.handle);
    freeze(this);
  }
}

// Libraries recognise keys by it.
defineProperty(SealwrightKey.prototype, Symbol.toStringTag, { value: 'CryptoKey' });
freeze(SealwrightKey);
freeze(SealwrightKey.prototype);

export function keyOf(info: WireKeyInfo): SealwrightKey {
  return new SealwrightKey(MAKING, info);
}

/** Undefined for everything that is not a key of this document. */
export function handleOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? HANDLES.get(value) : undefined;
}

/** Numbers of DH and DSA, which are sent as decimals. */
const NATURALS: readonly string[] = ['p', 'g', 'q'];

/** Ordinary objects, as a page's own script would make them. */
function algorithmOf(algorithm: Algorithm): object {
  const copy = plain(algorithm) as Record<string, unknown>;
  for (let i = 0; i < NATURALS.length; i++) {
    const digits = copy[NATURALS[i]!];
    if (typeof digits === 'string') copy[NATURALS[i]!] = SafeBigInt(digits);
  }
  return freeze(copy);
}

function plain(value: object): object {
  const copy: Record<string, unknown> = {};
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const one = (value as Record<string, unknown>)[names[i]!];
    defineProperty(copy, names[i]!, {
      value: member(one),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return copy;
}

function member(value: unknown): unknown {
  if (isUint8Array(value)) return new SafeUint8Array(value);
  return typeof value === 'object' && value !== null && !isArray(value)
    ? freeze(plain(value))
    : value;
}

function copied(list: readonly string[]): readonly string[] {
  const copy: string[] = [];
  for (let i = 0; i < list.length; i++) copy[i] = list[i]!;
  return freeze(copy);
}
