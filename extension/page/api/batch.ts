/*
 * Items and results of sealMany and openMany. Items are packed into one message, and each gets its own
 * result. An invalid item fails the whole call before any use is counted.
 */
import { fromWire } from '../../../src/rpc/errors.ts';
import type { SealwrightError, WireError } from '../../../src/rpc/errors.ts';
import { MAX_BATCH_ITEMS } from '../../../src/rpc/limits.ts';
import { encodedLengths, unpacked } from '../../../src/rpc/transport/byte-list.ts';
import type { ByteList } from '../../../src/rpc/transport/byte-list.ts';
import { freeze, isArray, SafeUint8Array } from '../../../src/rpc/primordials.ts';
import { invalid, tooLarge } from './arguments.ts';
import { setBytes, typedArrayParts } from '../primordials.ts';

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
 * @throws SealwrightError INVALID_ARGUMENT for values that are no list of items, TOO_LARGE beyond the limits
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

/** @returns a result for each item, in order; every value has a buffer of its own */
export function resultsOf(answer: {
  readonly items: ByteList;
  readonly failures: readonly { readonly at: number; readonly error: WireError }[];
}): BatchResult<Uint8Array>[] {
  const results: BatchResult<Uint8Array>[] = [];
  const values = unpacked(answer.items);
  for (let i = 0; i < values.length; i++) {
    results[i] = freeze({ ok: true, value: new SafeUint8Array(values[i]!) });
  }
  const { failures } = answer;
  for (let i = 0; i < failures.length; i++) {
    const { at, error } = failures[i]!;
    results[at] = freeze({ ok: false, error: fromWire(error) });
  }
  return results;
}
