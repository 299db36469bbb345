/**
 * The conversions of Web IDL for the methods' arguments. `what` names the argument in the error's
 * message.
 */

/** [EnforceRange] unsigned integers: octet, unsigned short, unsigned long. */
export type IntegerBits = 8 | 16 | 32;

/** Web IDL, ConvertToInt with [EnforceRange]. @throws TypeError */
export function toInteger(what: string, value: unknown, bits: IntegerBits): number {
  // ToNumber refuses both, but the function Number takes bigints.
  const number = typeof value === 'bigint' ? Number.NaN : Math.trunc(Number(value));
  if (!Number.isFinite(number) || number < 0 || number >= 2 ** bits) {
    throw new TypeError(`${what} must be an integer from 0 to ${2 ** bits - 1}`);
  }
  return number;
}

/** [EnforceRange] unsigned long long, bigints too. @throws TypeError */
export function toCounter(what: string, value: unknown): bigint {
  const number = typeof value === 'bigint' ? value : BigInt(toSafeInteger(what, value));
  if (number < 0n || number >= 1n << 64n) {
    throw new TypeError(`${what} must be an integer from 0 to 2^64 - 1`);
  }
  return number;
}

function toSafeInteger(what: string, value: unknown): number {
  const number = Math.trunc(Number(value));
  if (!Number.isSafeInteger(number)) throw new TypeError(`${what} must be an integer`);
  return number;
}

/** boolean: every value is one. */
export function toBoolean(value: unknown): boolean {
  return Boolean(value);
}

/** DOMString. @throws TypeError for a symbol */
export function toText(what: string, value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError(`${what} must be a string`);
  return String(value);
}

/** An enumeration. @throws TypeError for what is not in it */
export function toOneOf<T extends string>(what: string, value: unknown, values: readonly T[]): T {
  const text = toText(what, value);
  if (!(values as readonly string[]).includes(text)) {
    throw new TypeError(`${what} must be one of ${values.join(', ')}`);
  }
  return text as T;
}

/** sequence<enumeration>. @throws TypeError for what is not iterable, or holds something else */
export function toSequenceOf<T extends string>(
  what: string,
  value: unknown,
  values: readonly T[],
): T[] {
  return toItems(what, value).map((item) => toOneOf(what, item, values));
}

/** sequence<any>. @throws TypeError for what is not iterable */
export function toItems(what: string, value: unknown): unknown[] {
  if (
    !isObject(value) ||
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function'
  ) {
    throw new TypeError(`${what} must be a sequence`);
  }
  return [...(value as Iterable<unknown>)];
}

/** Whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
