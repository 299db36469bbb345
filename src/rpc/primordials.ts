/*
 * Built-in functions as they are when this module loads. `page.ts` runs this code beside a page's
 * own scripts, which may replace Map.prototype.get or Object.keys at any time. What is captured here
 * before the page's first script keeps working. The rest of src/rpc therefore uses no method of a
 * built-in prototype and no `for … of` in the path of a call.
 */
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

type Method<T, A extends unknown[], R> = (this: T, ...rest: A) => R;

const { bind, call } = Function.prototype;

/** `uncurry(f)(self, ...rest)` is `f.call(self, ...rest)`, whatever happens to Function.prototype. */
export const uncurry = bind.bind(call as never) as unknown as <T, A extends unknown[], R>(
  method: Method<T, A, R>,
) => (self: T, ...rest: A) => R;

/** Functions of Object, as they were at load. */
export const { freeze, create, keys, hasOwn, defineProperty, setPrototypeOf } = Object;
/** Names and symbols of all own properties. */
export const { ownKeys } = Reflect;
/** Whether a value is an array of any realm. */
export const { isArray } = Array;
/** Whether a value is an integer that a double represents exactly. */
export const { isSafeInteger } = Number;
/** Promise, as it was at load. */
export const SafePromise = Promise;
/** Uint8Array, as it was at load. */
export const SafeUint8Array = Uint8Array;

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const TypedArray = getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, name: PropertyKey): (self: unknown) => unknown {
  return uncurry(getOwnPropertyDescriptor(prototype, name)!.get as Method<unknown, [], unknown>);
}

/** The built-in class of a typed array in any realm; undefined for everything else. */
export const typedArrayName = getter(TypedArray, Symbol.toStringTag);
/** The buffer of a typed array, by the built-in getter. */
export const typedArrayBuffer = getter(TypedArray, 'buffer') as (of: Uint8Array) => ArrayBuffer;
/** The offset of a typed array in its buffer, in bytes. */
export const typedArrayByteOffset = getter(TypedArray, 'byteOffset') as (of: Uint8Array) => number;
/** The length of a typed array, in bytes. */
export const typedArrayByteLength = getter(TypedArray, 'byteLength') as (of: Uint8Array) => number;
/** Throws for everything that is not an ArrayBuffer of some realm: a SharedArrayBuffer, say. */
export const bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength') as (
  of: unknown,
) => number;

/** Whether a value is a Uint8Array of any realm. */
export const isUint8Array = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  typedArrayName(value) === 'Uint8Array';

/** Length in bytes; throws for everything that is not a Blob or File of some realm. */
export const blobBytes = getter(Blob.prototype, 'size') as (blob: unknown) => number;

/** Whether a value is a Blob or File of any realm. */
export function isBlob(value: unknown): value is Blob {
  try {
    return blobBytes(value) >= 0;
  } catch {
    return false;
  }
}

/** A view of part of an array. Unlike `subarray`, it calls no constructor that a page can replace. */
export const viewOf = (bytes: Uint8Array, start: number, end: number): Uint8Array =>
  new SafeUint8Array(typedArrayBuffer(bytes), typedArrayByteOffset(bytes) + start, end - start);

/** A Map whose methods are its own: those of Map.prototype as they were at load. */
export class SafeMap<K, V> extends Map<K, V> {}
for (const name of ['get', 'set', 'has', 'delete', 'clear', 'forEach'] as const) {
  defineProperty(SafeMap.prototype, name, { value: Map.prototype[name] });
}
const size = getOwnPropertyDescriptor(Map.prototype, 'size')!;
defineProperty(SafeMap.prototype, 'size', size);
freeze(SafeMap.prototype);

/** The UTF-16 code unit of a text at an index. */
export const charCodeAt = uncurry(String.prototype.charCodeAt);

type IsWellFormed = (this: string) => boolean;
const builtIn = (String.prototype as { isWellFormed?: IsWellFormed }).isWellFormed;

/** No lone surrogates: such text has no UTF-8 form. */
export const isWellFormed: (text: string) => boolean = builtIn ? uncurry(builtIn) : hasNoLoneUnit;

/** Where the browser has no such method of its own. */
export function hasNoLoneUnit(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = i + 1 < text.length ? charCodeAt(text, ++i) : 0;
    if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return false;
  }
  return true;
}
