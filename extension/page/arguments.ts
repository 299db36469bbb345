/*
 * Reading of a page's arguments. Each is read once, before the first await; bytes are copied once and
 * never changed; errors name the argument.
 */
import { SealwrightError } from '../../src/rpc/errors.ts';
import { MAX_CONTEXT_BYTES, MAX_ID_CHARACTERS } from '../../src/rpc/limits.ts';
import { didYouMean } from '../../src/rpc/nearest-name.ts';
import {
  blobBytes,
  hasOwn,
  isArray,
  isBlob,
  isWellFormed,
  ownKeys,
  SafeUint8Array,
  bufferByteLength,
  typedArrayName,
} from '../../src/rpc/primordials.ts';
import { InvalidValue } from '../../src/rpc/validate.ts';
import type { Validator } from '../../src/rpc/validate.ts';
import {
  bufferIsResizable,
  dataViewParts,
  isAborted,
  isView,
  setBytes,
  typedArrayParts,
  utf8,
} from './primordials.ts';

export function invalid(name: string, expected: string): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', `${name}: expected ${expected}`);
}

/** Methods that take another kind of value, by its kind. */
export type Instead = Readonly<Partial<Record<'a Blob' | 'bytes' | 'text', string>>>;

/** The error for a value of the wrong kind: what it is, and the method that takes such. */
function unexpected(name: string, expected: string, value: unknown, instead: Instead = {}) {
  const kind = kindOf(value);
  const other = hasOwn(instead, kind) ? `: use ${instead[kind as keyof Instead]!}` : '';
  return invalid(name, `${expected}, got ${kind}${other}`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return value === null ? 'null' : 'undefined';
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isBlob(value)) return 'a Blob';
  if (isView(value) || isBuffer(value)) return 'bytes';
  return isArrayOrRevoked(value) ? 'an array' : 'an object';
}

function isBuffer(value: unknown): boolean {
  try {
    return bufferByteLength(value) >= 0;
  } catch {
    return false;
  }
}

/** Asking about a revoked proxy throws. */
function isArrayOrRevoked(value: unknown): boolean {
  try {
    return isArray(value);
  } catch {
    return false;
  }
}

export function tooLarge(name: string, maxBytes: number): SealwrightError {
  return new SealwrightError('TOO_LARGE', `${name}: expected at most ${maxBytes} bytes`);
}

/**
 * A copy of the bytes in an ArrayBuffer or view of any realm.
 *
 * @throws SealwrightError INVALID_ARGUMENT if it is neither, detached, resizable or shared;
 * TOO_LARGE beyond `maxBytes`
 */
export function copiedBytes(
  name: string,
  value: unknown,
  maxBytes: number,
  instead?: Instead,
): Uint8Array {
  const source = viewedBytes(name, value, maxBytes, instead);
  const copy = new SafeUint8Array(typedArrayParts.byteLength(source));
  setBytes(copy, source);
  return copy;
}

/**
 * The page's own bytes, to be copied before the first await. A getter of the options may detach them
 * before that, so the copying code checks again.
 *
 * @throws SealwrightError as `copiedBytes` does
 */
export function viewedBytes(
  name: string,
  value: unknown,
  maxBytes = Infinity,
  instead?: Instead,
): Uint8Array {
  const view = viewed(name, value, BYTES, instead);
  if (typedArrayParts.byteLength(view) > maxBytes) throw tooLarge(name, maxBytes);
  return view;
}

const BYTES = 'an ArrayBuffer or a view of one, not detached, resizable or shared';

function viewed(name: string, value: unknown, expected: string, instead?: Instead): Uint8Array {
  try {
    const parts = typedArrayName(value) === undefined ? dataViewParts : typedArrayParts;
    const buffer = isView(value) ? parts.buffer(value) : (value as ArrayBuffer);
    const bufferBytes = bufferByteLength(buffer);
    if (bufferIsResizable?.(buffer)) throw invalid(name, expected);
    // A detached buffer throws here.
    if (!isView(value)) return new SafeUint8Array(buffer, 0, bufferBytes);
    return new SafeUint8Array(buffer, parts.byteOffset(value), parts.byteLength(value));
  } catch {
    // The getters throw a TypeError for values of another class.
    throw isView(value) || isBuffer(value)
      ? invalid(name, expected)
      : unexpected(name, expected, value, instead);
  }
}

/**
 * A Blob or File of any realm, which is passed by reference.
 *
 * @throws SealwrightError INVALID_ARGUMENT for other values, TOO_LARGE beyond `maxBytes`
 */
export function blobArgument(
  name: string,
  value: unknown,
  maxBytes: number,
  instead?: Instead,
): Blob {
  if (blobLength(name, value, instead) > maxBytes) throw tooLarge(name, maxBytes);
  return value as Blob;
}

function blobLength(name: string, value: unknown, instead?: Instead): number {
  try {
    return blobBytes(value);
  } catch {
    // The getter throws for everything that is not a Blob.
    throw unexpected(name, 'a Blob or File', value, instead);
  }
}

/** UTF-8 of a string; `maxBytes` bounds the encoded length. */
export function encodedText(
  name: string,
  value: unknown,
  maxBytes: number,
  instead?: Instead,
): Uint8Array {
  if (typeof value !== 'string') throw unexpected(name, 'a string', value, instead);
  if (value.length > maxBytes) throw tooLarge(name, maxBytes);
  if (!isWellFormed(value)) throw invalid(name, 'text without lone surrogates');
  const bytes = utf8(value);
  if (typedArrayParts.byteLength(bytes) > maxBytes) throw tooLarge(name, maxBytes);
  return bytes;
}

/** A copy of bytes, or text as UTF-8. */
function bytesOrText(name: string, value: unknown, maxBytes: number): Uint8Array {
  const source = sourceOf(name, value, maxBytes);
  return typeof value === 'string' ? source : copiedBytes(name, source, maxBytes);
}

/** Text as UTF-8, or the page's own bytes, as `viewedBytes` gives them. */
export function sourceOf(
  name: string,
  value: unknown,
  maxBytes: number,
  instead?: Instead,
): Uint8Array {
  if (typeof value === 'string') return encodedText(name, value, maxBytes);
  const view = viewed(name, value, `text, or ${BYTES}`, instead);
  if (typedArrayParts.byteLength(view) > maxBytes) throw tooLarge(name, maxBytes);
  return view;
}

/** `context` of seal and open: bytes, or text that is taken as UTF-8. */
export function contextBytes(value: unknown): Uint8Array | undefined {
  return value === undefined ? undefined : bytesOrText('options.context', value, MAX_CONTEXT_BYTES);
}

/** The options of a method and those of every call. */
export type Options<K extends string> = { readonly [N in K]?: unknown } & CallControl;

export interface CallControl {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly onProgress: ((done: { bytes: number; total?: number }) => void) | undefined;
}

const CONTROLS = ['signal', 'timeoutMs', 'onProgress'] as const;

/**
 * Reads options, each once. Unknown names are refused: with a misspelt `context`, a message would be
 * sealed without one.
 */
export function readOptions<K extends string>(value: unknown, names: readonly K[]): Options<K> {
  const read: Record<string, unknown> = { __proto__: null };
  if (value !== undefined && value !== null) {
    if (typeof value !== 'object') throw invalid('options', 'an object');
    try {
      refuseUnknown(value, names);
      readInto(read, value as Record<string, unknown>, names);
      readInto(read, value as Record<string, unknown>, CONTROLS);
    } catch (error) {
      if (error instanceof SealwrightError) throw error;
      throw invalid('options', 'an object that can be read');
    }
  }
  checkControl(read);
  return read as unknown as Options<K>;
}

function readInto(
  read: Record<string, unknown>,
  options: Record<string, unknown>,
  names: readonly string[],
): void {
  for (let i = 0; i < names.length; i++) read[names[i]!] = options[names[i]!];
}

function refuseUnknown(options: object, names: readonly string[]): void {
  const own = ownKeys(options);
  for (let i = 0; i < own.length; i++) {
    const name = own[i]!;
    if (typeof name === 'symbol' || (!holds(names, name) && !holds(CONTROLS, name))) {
      throw noSuchOption(name, names);
    }
  }
}

function noSuchOption(name: string | symbol, names: readonly string[]): SealwrightError {
  if (typeof name === 'symbol') return invalid('options.[symbol]', 'no such option');
  const meant = didYouMean(name, names) || didYouMean(name, CONTROLS);
  return invalid(`options.${name}`, `no such option${meant}`);
}

function holds(names: readonly string[], name: string): boolean {
  for (let i = 0; i < names.length; i++) {
    if (names[i] === name) return true;
  }
  return false;
}

function checkControl({ signal, timeoutMs, onProgress }: Record<string, unknown>): void {
  if (signal !== undefined && !isSignal(signal)) throw invalid('options.signal', 'an AbortSignal');
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0)) {
    throw invalid('options.timeoutMs', 'a number of milliseconds');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw invalid('options.onProgress', 'a function');
  }
}

function isSignal(value: unknown): value is AbortSignal {
  try {
    isAborted(value);
    return true;
  } catch {
    // The getter throws for everything that is not an AbortSignal.
    return false;
  }
}

export function optionalText(name: string, value: unknown, maxLength: number): string | undefined {
  return value === undefined ? undefined : requiredText(name, value, maxLength);
}

export function requiredText(name: string, value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > maxLength) {
    const expected = `a string of 1 to ${maxLength} characters`;
    throw typeof value === 'string' ? invalid(name, expected) : unexpected(name, expected, value);
  }
  return value;
}

export function optionalBoolean(name: string, value: unknown): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') throw invalid(name, 'a boolean');
  return value;
}

/** The option `key` as a parameter of the call. */
export function keyParam(read: { readonly key?: unknown }) {
  const key = optionalText('options.key', read.key, MAX_ID_CHARACTERS);
  return key === undefined ? {} : { key };
}

/** Applies a validator of the table to a page's argument. Errors that its getters throw become INVALID_ARGUMENT. */
export function checked<T>(validator: Validator<T>, value: unknown, name: string): T {
  try {
    return validator(value, name);
  } catch (error) {
    if (error instanceof InvalidValue) throw new SealwrightError(error.code, error.message);
    throw invalid(name || 'argument', 'a value that can be read');
  }
}
