/**
 * Integers that callers pass. A secret one that comes as a bigint is converted to bytes once; all computation uses
 * these (integers.ts).
 */
import { checkBytes } from '../errors.ts';
import { toBigint, toBytes, type Integer } from './integers.ts';

/** @returns the bytes without leading zeros: a view */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(first < 0 ? bytes.length : first);
}

/**
 * @throws TypeError if the value is neither bigint nor Uint8Array
 * @throws RangeError if it is negative
 */
export function checkInteger(name: string, value: unknown): asserts value is Integer {
  if (typeof value === 'bigint') {
    if (value < 0n) throw new RangeError(`${name} must not be negative`);
  } else if (typeof value === 'object') checkBytes(name, value);
  else throw new TypeError(`${name} must be a bigint or a Uint8Array`);
}

/**
 * Converts a caller's public integer.
 *
 * @throws TypeError if it is neither bigint nor Uint8Array
 * @throws RangeError if it is negative
 */
export function publicInteger(name: string, value: unknown): bigint {
  checkInteger(name, value);
  return typeof value === 'bigint' ? value : toBigint(value);
}

/**
 * Copies a caller's secret integer to exactly the length that the public numbers determine, so that no later
 * step depends on the secret's own length.
 *
 * @throws TypeError if it is neither bigint nor Uint8Array
 * @throws RangeError if it is negative or longer; the message contains no digit of it
 */
export function secretInteger(
  name: string,
  value: unknown,
  lengthBytes: number,
): Uint8Array<ArrayBuffer> {
  checkInteger(name, value);
  if (typeof value !== 'bigint') return fixedLength(name, value, lengthBytes);
  if (value >> BigInt(8 * lengthBytes) !== 0n) throw tooLong(name, lengthBytes);
  return toBytes(value, lengthBytes);
}

function fixedLength(
  name: string,
  value: Uint8Array,
  lengthBytes: number,
): Uint8Array<ArrayBuffer> {
  const surplus = Math.max(value.length - lengthBytes, 0);
  let lost = 0;
  for (let i = 0; i < surplus; i++) lost |= value[i];
  if (lost !== 0) throw tooLong(name, lengthBytes);
  const bytes = new Uint8Array(lengthBytes);
  bytes.set(value.subarray(surplus), lengthBytes - (value.length - surplus));
  return bytes;
}

function tooLong(name: string, lengthBytes: number): RangeError {
  return new RangeError(`${name} must fit ${lengthBytes} bytes`);
}
