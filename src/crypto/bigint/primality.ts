import { bitLength } from './integers.ts';
import { jacobi, mod, publicPower } from './modular.ts';
import type { OddPower } from './odd-power.ts';
import { oddPower } from './odd-power.ts';

const SMALL_PRIMES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n];

/**
 * The test of Baillie, Pomerance, Selfridge and Wagstaff: Miller and Rabin's with base 2 (FIPS 186-5, B.3.1),
 * then Lucas's (B.3.3). No composite is known that passes both. Composites that pass Miller and Rabin's test
 * for fixed bases are easy to make. For public numbers.
 *
 * @returns false if n is certainly not prime
 */
export function isProbablePrime(n: bigint, power: OddPower = oddPower): boolean {
  for (const prime of SMALL_PRIMES) if (n % prime === 0n) return n === prime;
  if (n < 53n * 53n) return n > 1n;
  return !isWitness(2n, n, power) && passesLucas(n);
}

/** True if the base proves that n, odd, is composite (FIPS 186-5, B.3.1, step 4). */
export function isWitness(base: bigint, n: bigint, power: OddPower = oddPower): boolean {
  let twos = 0;
  let odd = n - 1n;
  for (; odd % 2n === 0n; twos++) odd /= 2n;
  let z = publicPower(power, base, odd, n);
  if (z === 1n || z === n - 1n) return false;
  for (let i = 1; i < twos; i++) {
    z = (z * z) % n;
    if (z === n - 1n) return false;
  }
  return true;
}

/** FIPS 186-5, B.3.3: with Selfridge's choice of D, P = 1 and Q = (1 - D) / 4. n is odd. */
function passesLucas(n: bigint): boolean {
  const d = selfridge(n);
  if (d === 0n) return false;
  const half = (x: bigint): bigint => (x % 2n === 0n ? x : x + n) / 2n;
  let u = 1n;
  let v = 1n;
  // From U(1), V(1) to U(n + 1), V(n + 1) along the bits of n + 1.
  for (const bit of (n + 1n).toString(2).slice(1)) {
    [u, v] = [(u * v) % n, mod(half(v * v + d * u * u), n)];
    if (bit === '1') [u, v] = [mod(half(u + v), n), mod(half(v + d * u), n)];
  }
  return u === 0n;
}

/** The first of 5, -7, 9, -11, … with Jacobi symbol -1; 0 if n turns out to be composite. */
function selfridge(n: bigint): bigint {
  for (let size = 5n; ; size += 2n) {
    const d = size % 4n === 1n ? size : -size;
    const symbol = jacobi(mod(d, n), n);
    if (symbol === -1) return d;
    if (symbol === 0 && mod(d, n) !== 0n) return 0n;
    // For a square no D exists.
    if (size === 21n && isSquare(n)) return 0n;
  }
}

/** Newton's iteration from above (FIPS 186-5, B.5). */
function isSquare(n: bigint): boolean {
  let root = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const next = (root + n / root) / 2n;
    if (next >= root) return root * root === n;
    root = next;
  }
}
