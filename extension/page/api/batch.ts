/*
 * Items and results of sealMany, openMany and rewrapMany. Items are packed into one message, and each gets its own
 * result. An invalid item fails the whole call before any use is counted.
 */
import { fromWire } from '../../../src/rpc/errors.ts';
import type { SealwrightError, WireError } from '../../../src/rpc/errors.ts';
import {
  MAX_BATCH_CONTEXT_BYTES,
  MAX_BATCH_ITEMS,
  MAX_CONTEXT_BYTES,
} from '../../../src/rpc/limits.ts';
import { countOf, encodedLengths, unpacked } from '../../../src/rpc/transport/byte-list.ts';
import type { ByteList } from '../../../src/rpc/transport/byte-list.ts';
import { freeze, isArray, SafeMap, SafeUint8Array } from '../../../src/rpc/primordials.ts';
import { invalid, sourceOf, tooLarge } from '../arguments.ts';
import { setBytes, typedArrayParts, utf8 } from '../primordials.ts';

export type BatchResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: SealwrightError };

/**
 * Reads the bytes of one item, which may be the page's own. They are all copied before code of the page
 * runs again. Throws a SealwrightError that names the item.
 */
type ReadItem = (name: string, item: unknown, maxBytes: number) => Uint8Array;

/**
 * @param name of the argument
 * @param maxBytes of all items together
 * @throws SealwrightError INVALID_ARGUMENT for values that are not a list of items, TOO_LARGE beyond the limits
 */
export function packedItems(
  name: string,
  value: unknown,
  read: ReadItem,
  maxBytes: number,
): ByteList {
  const list = listed(name, value);
  const items: Uint8Array[] = [];
  const lengths: number[] = [];
  let total = 0;
  for (let i = 0; i < list.length; i++) {
    const item = read(`${name}[${i}]`, list[i], maxBytes);
    const length = typedArrayParts.byteLength(item);
    total += length;
    if (total > maxBytes) throw tooLarge(name, maxBytes);
    items[i] = item;
    lengths[i] = length;
  }
  return { bytes: concat(items, total), lengths: encodedLengths(lengths) };
}

/**
 * `contexts`: one for each item, as `context` is read.
 *
 * @param items of the same call
 */
export function contextsParam(
  { context, contexts }: { readonly context?: unknown; readonly contexts?: unknown },
  items: ByteList,
): { readonly contexts?: ByteList } {
  if (contexts === undefined) return {};
  if (context !== undefined) throw invalid('options', 'either context or contexts');
  const read: ReadItem = (name, each) => sourceOf(name, each, MAX_CONTEXT_BYTES);
  const packed = packedItems('options.contexts', contexts, read, MAX_BATCH_CONTEXT_BYTES);
  if (countOf(packed) === countOf(items)) return { contexts: packed };
  throw invalid('options.contexts', 'an array of one context for each item');
}

/** Texts are encoded so many at once: one call for each costs more than the encoding. */
const TEXTS_TOGETHER = 64;

/** As packedItems, for items that are texts without lone surrogates; they are packed in UTF-8. */
export function packedTexts(
  name: string,
  value: unknown,
  read: (name: string, item: unknown) => string,
  maxBytes: number,
): ByteList {
  const list = listed(name, value);
  const parts: Uint8Array[] = [];
  const lengths: number[] = [];
  let total = 0;
  for (let i = 0; i < list.length;) {
    const texts: string[] = [];
    const end = i + TEXTS_TOGETHER < list.length ? i + TEXTS_TOGETHER : list.length;
    for (; i < end; i++) texts[texts.length] = read(`${name}[${i}]`, list[i]);
    const bytes = encodeTogether(texts, lengths);
    total += typedArrayParts.byteLength(bytes);
    if (total > maxBytes) throw tooLarge(name, maxBytes);
    parts[parts.length] = bytes;
  }
  return { bytes: concat(parts, total), lengths: encodedLengths(lengths) };
}

/** @param lengths receives the length of each text in bytes */
function encodeTogether(texts: readonly string[], lengths: number[]): Uint8Array {
  let all = '';
  for (let i = 0; i < texts.length; i++) all += texts[i]!;
  const bytes = utf8(all);
  const isAscii = typedArrayParts.byteLength(bytes) === all.length;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    lengths[lengths.length] = isAscii ? text.length : typedArrayParts.byteLength(utf8(text));
  }
  return bytes;
}

/** The items of an array, each read once: a page may have defined getters in their places. */
function listed(name: string, value: unknown): unknown[] {
  const expected = `an array of at most ${MAX_BATCH_ITEMS} items`;
  try {
    if (!isArray(value) || value.length > MAX_BATCH_ITEMS) throw invalid(name, expected);
    const list: unknown[] = [];
    const { length } = value;
    for (let i = 0; i < length; i++) list[i] = value[i];
    return list;
  } catch {
    // Errors of the page's getters and proxies are not passed on.
    throw invalid(name, expected);
  }
}

function concat(items: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new SafeUint8Array(total);
  let offset = 0;
  for (let i = 0; i < items.length; i++) {
    setBytes(bytes, items[i]!, offset);
    offset += typedArrayParts.byteLength(items[i]!);
  }
  return bytes;
}

export interface BatchAnswer {
  readonly items: ByteList;
  readonly failures: readonly { readonly at: number; readonly error: WireError }[];
}

/**
 * @param made the result of an item that has not failed
 * @returns a result for each item, in order
 */
export function resultsOf<T>(
  { items, failures }: BatchAnswer,
  made: (value: Uint8Array, index: number) => BatchResult<T>,
): BatchResult<T>[] {
  const errors = new SafeMap<number, WireError>();
  for (let i = 0; i < failures.length; i++) errors.set(failures[i]!.at, failures[i]!.error);
  const results: BatchResult<T>[] = [];
  const values = unpacked(items);
  for (let i = 0; i < values.length; i++) {
    const error = errors.get(i);
    results[i] = error ? freeze({ ok: false, error: fromWire(error) }) : made(values[i]!, i);
  }
  return results;
}

/** The value with a buffer of its own. */
export function copied(value: Uint8Array): BatchResult<Uint8Array> {
  return freeze({ ok: true, value: new SafeUint8Array(value) });
}
