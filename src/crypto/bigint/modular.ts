/**
 * Arithmetic on public integers, for checks of parameters and signatures. The variable time of bigint reveals
 * nothing here.
 */
import { toBigint, toBytes } from './integers.ts';
import type { OddPower } from './odd-power.ts';

/** @returns the remainder 0 … m - 1, of negative integers too */
export function mod(x: bigint, m: bigint): bigint {
  const rest = x % m;
  return rest < 0n ? rest + m : rest;
}

/** @returns x^-1 modulo m by Euclid's extended algorithm, or undefined if there is none */
export function inverse(x: bigint, m: bigint): bigint | undefined {
  // Invariant: a ≡ u · x and b ≡ v · x modulo m
  let [a, u, b, v] = [mod(x, m), 1n, m, 0n];
  while (a !== 0n) {
    const quotient = b / a;
    [a, u, b, v] = [b - quotient * a, v - quotient * u, a, u];
  }
  return b === 1n ? mod(v, m) : undefined;
}

/** base^exponent modulo an odd m ≥ 3, computed by an engine. All values are public. */
export function publicPower(power: OddPower, base: bigint, exponent: bigint, m: bigint): bigint {
  return toBigint(power(toBytes(mod(base, m)), toBytes(exponent), toBytes(m)));
}

/** The Jacobi symbol (a/n) for odd n (FIPS 186-5, B.4). */
export function jacobi(a: bigint, n: bigint): number {
  let [top, bottom, sign] = [a, n, 1];
  while (top !== 0n) {
    for (; top % 2n === 0n; top /= 2n) {
      if (bottom % 8n === 3n || bottom % 8n === 5n) sign = -sign;
    }
    [top, bottom] = [bottom, top];
    if (top % 4n === 3n && bottom % 4n === 3n) sign = -sign;
    top %= bottom;
  }
  return bottom === 1n ? sign : 0;
}
