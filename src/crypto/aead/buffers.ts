/** Output buffers, tag lengths and greatest lengths of the AEAD modes. */
import { checkBytes } from '../errors.ts';

/** GCM: at most 2^39 - 256 bits of plaintext (SP 800-38D, section 5.2.1.1). */
export const GCM_MAX_BYTES = 0xf_ffff_ffe0;

/**
 * GCM-SIV: plaintext and associated data have at most 2^36 bytes (RFC 8452, section 6). No array can hold so much
 * associated data.
 */
export const GCM_SIV_MAX_BYTES = 0x10_0000_0000;

/** ChaCha20-Poly1305: 2^32 blocks of 64 bytes, of which the MAC uses the first (RFC 8439, section 2.8). */
export const CHACHA_POLY_MAX_BYTES = 0x3f_ffff_ffc0;

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
