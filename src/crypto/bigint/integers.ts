/**
 * Integers ≥ 0 as big-endian bytes and as bigint. The time of bigint arithmetic depends on the values in
 * every JavaScript engine, so bigint is for public numbers. A secret that a caller passes as a bigint is
 * converted to bytes once; all computation uses these.
 */
import { fromHex, toHex } from '../bytes.ts';
import { checkBytes } from '../errors.ts';

/** A non-negative integer: a bigint, or big-endian bytes of any length. */
export type Integer = bigint | Uint8Array;

/** @returns the integer of big-endian bytes */
export function toBigint(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes)}`);
}

/** Bits without leading zeros; 0 has none. */
export function bitLength(x: bigint): number {
  return x === 0n ? 0 : x.toString(2).length;
}

/**
 * @param lengthBytes as many bytes as needed if absent (none for 0)
 * @returns big-endian bytes with leading zeros
 * @throws RangeError if the value is negative or does not fit
 */
export function toBytes(value: bigint, lengthBytes?: number): Uint8Array<ArrayBuffer> {
  if (value < 0n) throw new RangeError('value must not be negative');
  const hex = value === 0n ? '' : value.toString(16);
  const bytes = fromHex(hex.padStart(2 * (lengthBytes ?? Math.ceil(hex.length / 2)), '0'));
  if (lengthBytes !== undefined && bytes.length > lengthBytes) {
    throw new RangeError(`value must fit ${lengthBytes} bytes`);
  }
  return bytes;
}

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
