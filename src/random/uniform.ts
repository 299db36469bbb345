import { checkInteger } from '../crypto/errors.ts';
import type { RandomSource } from './contract.ts';

/** The largest number of values that `uniformInteger` chooses from. */
export const MAX_LIMIT = 2 ** 48;

/**
 * A uniform integer, 0 … limit - 1. Draws are 4 bytes, or 6 where the limit needs them; those that
 * would make some values likelier are rejected, which is less than half of them.
 *
 * @param limit 1 … 2^48
 * @throws RangeError for another limit, and what the source throws
 */
export function uniformInteger(source: RandomSource, limit: number): number {
  checkInteger('limit', limit, 1, MAX_LIMIT);
  const bytes = limit <= 2 ** 32 ? 4 : 6;
  const values = 2 ** (8 * bytes);
  const fair = values - (values % limit); // the largest multiple of limit
  for (;;) {
    const draw = source.bytes(bytes).reduce((number, byte) => number * 256 + byte, 0);
    if (draw < fair) return draw % limit;
  }
}

/** A version 4 UUID (RFC 9562, section 5.4) of 122 random bits, in lower case. */
export function randomUuid(source: RandomSource): string {
  const bytes = source.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // variant 10
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
