/** Output buffers and tag lengths of the AEAD modes. */
import { checkBytes } from '../errors.ts';

/**
 * @param into the caller's array, or undefined
 * @returns `length` bytes to write a result to: the beginning of `into`, or a new array
 * @throws RangeError if `into` is shorter than `length`
 */
export function room(into: Uint8Array | undefined, length: number): Uint8Array {
  if (into === undefined) return new Uint8Array(length);
  checkBytes('into', into, { min: length });
  return head(into, length);
}

/** The first `length` bytes. Creates a view only if needed, because a view costs as much as a block. */
export function head(bytes: Uint8Array, length: number): Uint8Array {
  return length === bytes.length ? bytes : bytes.subarray(0, length);
}

/** @returns `tagBytes`, if the mode's standard allows it */
export function checkTagBytes(tagBytes: number, allowed: readonly number[]): number {
  if (!allowed.includes(tagBytes)) {
    throw new RangeError(`tagBytes must be one of ${allowed.join(', ')}, got ${tagBytes}`);
  }
  return tagBytes;
}
