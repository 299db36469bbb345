/**
 * Integers ≥ 0 as big-endian bytes and as bigint. The time of bigint arithmetic depends on the values in
 * every JavaScript engine, so bigint is for public numbers.
 */
import { fromHex, toHex } from '../bytes.ts';

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
