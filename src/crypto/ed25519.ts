import { toHex } from './bytes.ts';

const POINT_BYTES = 32;
/**
 * Encodings of the points of order 1, 2, 4 and 8 (RFC 8032, section 5.1.2), without the sign of x: y is 1, −1, 0, or
 * one of two square roots; and p and p + 1, which some platforms read as 0 and 1.
 */
const SMALL_ORDER_Y: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/** @param encoded begins with a point of edwards25519: a public key, or a signature, which begins with R */
export function hasSmallOrder(encoded: Uint8Array): boolean {
  const y = encoded.slice(0, POINT_BYTES);
  y[POINT_BYTES - 1] = (y.at(-1) ?? 0) & 0x7f;
  return SMALL_ORDER_Y.includes(toHex(y));
}
