import { publicInteger } from '../bigint/arguments.ts';
import { bitLength } from '../bigint/integers.ts';
import { jacobi, publicPower } from '../bigint/modular.ts';
import type { OddPower } from '../bigint/odd-power.ts';
import { isProbablePrime } from '../bigint/primality.ts';

/**
 * Subgroups of prime order q in the integers modulo p: the checks that DH and DSA share. All numbers here are
 * public.
 */

export interface Subgroup {
  readonly p: bigint;
  readonly q: bigint;
  readonly g: bigint;
}

/**
 * Checks p, q and g, except that p and q are prime, which would cost more than their use; see `checkPrimes`.
 *
 * @throws RangeError if p or q is even or too small, q does not divide p - 1, or g does not have order q
 */
export function subgroupOf(
  power: OddPower,
  given: { readonly p: unknown; readonly q: unknown; readonly g: unknown },
): Subgroup {
  const p = oddModulus(given.p);
  const q = publicInteger('q', given.q);
  const g = publicInteger('g', given.g);
  if (q < 3n || q % 2n === 0n || (p - 1n) % q !== 0n) {
    throw new RangeError('q must be odd and divide p - 1');
  }
  if (!isMember(power, { p, q }, g)) throw new RangeError('g must have order q');
  return { p, q, g };
}

/** @throws RangeError if p is even or below 7 */
export function oddModulus(value: unknown): bigint {
  const p = publicInteger('p', value);
  if (p < 7n || p % 2n === 0n) throw new RangeError('p must be an odd prime above 5');
  return p;
}

/**
 * SP 800-56A rev. 3, section 5.6.2.3.1 (full public-key validation): 2 ≤ y ≤ p - 2 and y^q = 1. This excludes
 * 0, 1, p - 1 and elements of small order, which would reveal a private key's remainder modulo that order.
 */
export function isMember(power: OddPower, { p, q }: Pick<Subgroup, 'p' | 'q'>, y: bigint): boolean {
  if (!isInside(p, y)) return false;
  // Modulo a safe prime the members are the squares. Euler's criterion is faster.
  return p === 2n * q + 1n ? jacobi(y, p) === 1 : publicPower(power, y, q, p) === 1n;
}

/** Section 5.6.2.3.2, step 1: the partial validation, for unknown q. */
export function isInside(p: bigint, y: bigint): boolean {
  return y >= 2n && y <= p - 2n;
}

/** @throws RangeError if p or q is not prime; some milliseconds at 2,048 bits */
export function checkPrimes(power: OddPower, { p, q }: Pick<Subgroup, 'p' | 'q'>): void {
  if (!isProbablePrime(q, power)) throw new RangeError('q must be prime');
  if (!isProbablePrime(p, power)) throw new RangeError('p must be prime');
}

/** @returns bytes of an integer without leading zeros */
export function byteLength(x: bigint): number {
  return Math.ceil(bitLength(x) / 8);
}

/** Range checks of secrets. They read every byte, whatever its value. */

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
 * @returns true if 1 ≤ secret < limit; revealing this bit is intended
 */
export function isInRange(secret: Uint8Array, limit: Uint8Array): boolean {
  return (less(secret, limit) & (1 - isZero(secret))) === 1;
}
