/*
 * JSON.stringify asks every object for `toJSON`, and finds what a page has put into the prototypes of built-ins:
 * Prototype.js 1.6 writes arrays as strings. JSON text that is encrypted must not depend on that.
 */
import {
  create,
  defineProperty,
  hasOwn,
  isArray,
  keys,
  uncurry,
} from '../../../src/rpc/primordials.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const { stringify } = JSON;
const { getPrototypeOf } = Object;
const { apply } = Reflect;
const SafeTypeError = TypeError;
const text = String;
const isRawJson = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;

type ToJson = (this: unknown, key: string) => unknown;

/** Prototypes of the standard's own objects, with the method that each has by itself. */
const BUILT_IN: readonly (readonly [prototype: object, own: ToJson | undefined])[] = [
  [Object.prototype, undefined],
  [Array.prototype, undefined],
  [Function.prototype, undefined],
  [Number.prototype, undefined],
  [String.prototype, undefined],
  [Boolean.prototype, undefined],
  [BigInt.prototype, undefined],
  [Symbol.prototype, undefined],
  [Date.prototype, Date.prototype.toJSON],
];

type ValueOf = (object: object) => unknown;
const tagOf = uncurry<object, [], string>(Object.prototype.toString);

/** Objects of primitive values, which stand for these in JSON. */
const UNBOXED: readonly (readonly [tag: string, valueOf: ValueOf])[] = [
  ['[object Number]', uncurry(Number.prototype.valueOf as (this: object) => unknown)],
  ['[object String]', uncurry(String.prototype.valueOf as (this: object) => unknown)],
  ['[object Boolean]', uncurry(Boolean.prototype.valueOf as (this: object) => unknown)],
  ['[object BigInt]', uncurry(BigInt.prototype.valueOf as (this: object) => unknown)],
];

/**
 * The JSON text of a value, as `JSON.stringify` gives it where no built-in prototype was changed: `toJSON` of the
 * value's own and of its class counts.
 *
 * @returns undefined for undefined, functions and symbols
 * @throws TypeError for a BigInt; RangeError for a cycle; what getters and `toJSON` throw
 */
export function jsonText(value: unknown): string | undefined {
  return stringify(plain(value, ''));
}

/** A value for which `stringify` finds no `toJSON`. */
function plain(value: unknown, key: string): unknown {
  const method = toJsonOf(value);
  const own = typeof method === 'function' ? (apply(method, value, [key]) as unknown) : value;
  if (typeof own === 'bigint') throw new SafeTypeError('A BigInt has no JSON text');
  if (typeof own === 'function') return undefined;
  if (typeof own !== 'object' || own === null || isRawJson?.(own)) return own;
  return isArray(own) ? plainArray(own) : plainObject(own);
}

function plainArray(array: readonly unknown[]): unknown[] {
  const { length } = array;
  const copy: unknown[] = [];
  for (let i = 0; i < length; i++) {
    // Not by assignment: a page may have put a setter for an index into Array.prototype.
    const own = { __proto__: null, value: plain(array[i], text(i)), enumerable: true };
    defineProperty(copy, i, own as PropertyDescriptor);
  }
  return defineProperty(copy, 'toJSON', { __proto__: null } as PropertyDescriptor);
}

function plainObject(object: object): unknown {
  const tag = tagOf(object);
  for (let i = 0; i < UNBOXED.length; i++) {
    if (tag === UNBOXED[i]![0]) return plain(UNBOXED[i]![1](object), '');
  }
  const names = keys(object);
  const copy = create(null) as Record<string, unknown>;
  for (let i = 0; i < names.length; i++) {
    copy[names[i]!] = plain((object as Record<string, unknown>)[names[i]!], names[i]!);
  }
  return copy;
}

/** Without the methods that a page has added to prototypes of built-ins. */
function toJsonOf(value: unknown): unknown {
  const isObject = typeof value === 'object' || typeof value === 'function';
  let holder = isObject ? value : null;
  while (holder !== null && !hasOwn(holder, 'toJSON')) {
    holder = getPrototypeOf(holder) as object | null;
  }
  if (holder === null) return undefined;
  for (let i = 0; i < BUILT_IN.length; i++) {
    if (holder === BUILT_IN[i]![0]) return BUILT_IN[i]![1];
  }
  return (value as { toJSON?: unknown }).toJSON;
}
