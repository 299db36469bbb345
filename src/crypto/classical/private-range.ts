/** Range checks of secrets that read every byte, whatever they hold. */

/** @returns 1 if a < b, else 0; both big-endian and of one length */
export function less(a: Uint8Array, b: Uint8Array): number {
  let borrow = 0;
  for (let i = a.length - 1; i >= 0; i--) borrow = ((a[i] - b[i] - borrow) >> 8) & 1;
  return borrow;
}

/** @returns 1 if all bytes are 0, else 0 */
export function isZero(a: Uint8Array): number {
  let bits = 0;
  for (const byte of a) bits |= byte;
  return ((bits - 1) >> 8) & 1;
}

/**
 * @param limit as long as `secret`
 * @returns true if 1 ≤ secret < limit: the one bit that this tells is meant to be told
 */
export function isInRange(secret: Uint8Array, limit: Uint8Array): boolean {
  return (less(secret, limit) & (1 - isZero(secret))) === 1;
}
