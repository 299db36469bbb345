/*
 * Reads the arguments of `subtle` by the rules of Web IDL and copies them at the time of the call. normalize.ts
 * reads those that are algorithms.
 *
 * Everything here throws; the methods are async, so a page sees rejections.
 */
import {
  isWellFormed,
  SafeUint8Array,
  bufferByteLength,
  typedArrayName,
} from '../../../src/rpc/primordials.ts';
import { JWK_TEXTS, KEY_USAGES } from '../../../src/rpc/methods/subtle-values.ts';
import type { WireJwk } from '../../../src/rpc/methods/subtle-values.ts';
import { MAX_SUBTLE_BYTES } from '../../../src/rpc/limits.ts';
import {
  bufferIsResizable,
  dataViewParts,
  isView,
  SafeDOMException,
  SafeString,
  SafeTypeError,
  setBytes,
  typedArrayParts,
} from '../primordials.ts';
import { handleOf } from './key.ts';

type Usage = (typeof KEY_USAGES)[number];
export type Reading = Readonly<Record<string | symbol, unknown>>;

/** Names that are longer are not sent: there are none. */
const MAX_NAME_CHARACTERS = 256;

/**
 * @param held gets the key, which must not be collected during the call
 * @throws TypeError for everything that is not a key of this document
 */
export function keyHandle(name: string, value: unknown, held: object[]): string {
  const handle = handleOf(value);
  if (handle === undefined) throw wrongType(name, 'a key of sealwright.subtle');
  held[held.length] = value as object;
  return handle;
}

/** An ArrayBuffer or a view, to be copied when its turn comes. @throws TypeError */
export class BufferSource {
  readonly #name: string;
  readonly #value: unknown;

  constructor(name: string, value: unknown) {
    this.#name = name;
    this.#value = value;
    sourceOf(name, value);
  }

  /**
   * "Get a copy of the bytes held by the buffer source": none, if it has been transferred meanwhile.
   *
   * @throws OperationError (DOMException) beyond 16 MiB
   */
  copy(): Uint8Array {
    const { buffer, offset, length } = sourceOf(this.#name, this.#value);
    if (length > MAX_SUBTLE_BYTES) {
      const message = `${this.#name}: subtle takes at most ${MAX_SUBTLE_BYTES} bytes`;
      throw new SafeDOMException(message, 'OperationError');
    }
    const copy = new SafeUint8Array(length);
    // A detached buffer has no bytes, and no views can be made of it.
    if (length > 0) setBytes(copy, new SafeUint8Array(buffer, offset, length));
    return copy;
  }
}

/** Web IDL: neither [AllowShared] nor [AllowResizable]. */
function sourceOf(name: string, value: unknown) {
  const expected = 'an ArrayBuffer or a view of one, not shared or resizable';
  if (typeof value !== 'object' || value === null) throw wrongType(name, expected);
  try {
    const parts = typedArrayName(value) === undefined ? dataViewParts : typedArrayParts;
    if (isView(value)) {
      const buffer = parts.buffer(value);
      const bytes = bufferByteLength(buffer);
      if (!bufferIsResizable?.(buffer)) {
        // A DataView whose buffer was detached throws for both.
        if (bytes === 0) return { buffer, offset: 0, length: 0 };
        return { buffer, offset: parts.byteOffset(value), length: parts.byteLength(value) };
      }
    } else {
      const length = bufferByteLength(value);
      if (!bufferIsResizable?.(value)) return { buffer: value as ArrayBuffer, offset: 0, length };
    }
  } catch {
    // The getters throw for values of another class.
  }
  throw wrongType(name, expected);
}

export function isBufferSource(value: unknown): boolean {
  try {
    sourceOf('', value);
    return true;
  } catch {
    return false;
  }
}

/** @throws TypeError for what is not in the enumeration */
export function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  const given = text(value);
  for (let i = 0; i < known.length; i++) {
    if (known[i] === given) return known[i]!;
  }
  throw wrongType(name, 'one of its names');
}

/** sequence<KeyUsage>. @throws TypeError */
export function usagesOf(value: unknown): Usage[] {
  const given = sequence('keyUsages', value);
  const usages: Usage[] = [];
  for (let i = 0; i < given.length; i++) usages[i] = oneOf('keyUsages', given[i], KEY_USAGES);
  return usages;
}

/** `unsigned long?` of deriveBits. Without [EnforceRange] it wraps around. */
export function bitLengthOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return (value as number) >>> 0;
}

/** JsonWebKey. @throws TypeError */
export function jwkOf(value: unknown): WireJwk {
  if (!isObject(value) || isBufferSource(value)) throw wrongType('keyData', 'a JSON Web Key');
  const source = value as Reading;
  const wire: Record<string, unknown> = { __proto__: null };
  for (let i = 0; i < JWK_TEXTS.length; i++) {
    const given = source[JWK_TEXTS[i]!];
    if (given !== undefined) wire[JWK_TEXTS[i]!] = text(given);
  }
  if (source.ext !== undefined) wire.ext = !!source.ext;
  if (source.key_ops !== undefined) wire.key_ops = texts(sequence('key_ops', source.key_ops));
  return wire;
}

function texts(list: readonly unknown[]): string[] {
  const result: string[] = [];
  for (let i = 0; i < list.length; i++) result[i] = text(list[i]);
  return result;
}

/** Reads an iterable by the page's own iterator, as Web IDL requires. */
function sequence(name: string, value: unknown): unknown[] {
  if (!isObject(value)) throw wrongType(name, 'a sequence');
  const iterator = (value as Reading)[Symbol.iterator];
  if (typeof iterator !== 'function') throw wrongType(name, 'a sequence');
  const items: unknown[] = [];
  for (const item of value as Iterable<unknown>) {
    if (items.length === MAX_SEQUENCE) throw wrongType(name, `at most ${MAX_SEQUENCE} items`);
    items[items.length] = item;
  }
  return items;
}
const MAX_SEQUENCE = 64;

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** DOMString. @throws TypeError for a symbol */
export function text(value: unknown): string {
  if (typeof value === 'symbol') throw wrongType('a symbol', 'text');
  return SafeString(value);
}

/** The text, or one that is not a valid parameter where it is too long or has no UTF-8 form. */
export function shortText(value: string): string {
  return value.length <= MAX_NAME_CHARACTERS && isWellFormed(value) ? value : '?';
}

export function wrongType(name: string, expected: string): TypeError {
  return new SafeTypeError(`${name} must be ${expected}`);
}
