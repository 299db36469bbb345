/**
 * The constants of SHA-2, computed as FIPS 180-4 defines them (sections 4.2.2, 4.2.3, 5.3.3 to 5.3.5): the
 * first bits of the fractional parts of the square and cube roots of the first primes. All arithmetic uses
 * integers, so the result does not depend on the engine's rounding. Computing all constants takes about a
 * quarter of a millisecond.
 */

/** @returns the first `count` primes, from 2 on */
export function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

/**
 * @param n a small positive integer
 * @param degree 2 for the square root, 3 for the cube root
 * @returns the first 64 bits of the fractional part of that root, as an integer below 2^64
 */
export function rootFraction(n: number, degree: 2 | 3): bigint {
  // ⌊root · 2^64⌋ is the integer root of n · 2^(64 · degree); its low 64 bits are the fraction.
  const scaled = BigInt(n) << BigInt(64 * degree);
  return BigInt.asUintN(64, integerRoot(scaled, degree, guessAbove(n, degree)));
}

/** @returns the words as FIPS 180-4 prints them: the high half, then the low half of each value */
export function halves(values: readonly bigint[]): Int32Array {
  const high = (value: bigint): number => Number(BigInt.asIntN(32, value >> 32n));
  const low = (value: bigint): number => Number(BigInt.asIntN(32, value));
  return Int32Array.from(values.flatMap((value) => [high(value), low(value)]));
}

/** @returns the high half of each value: SHA-256 uses the first 32 bits of the same fractions */
export function highHalves(values: readonly bigint[]): Int32Array {
  return Int32Array.from(values, (value) => Number(BigInt.asIntN(32, value >> 32n)));
}

/** Newton's iteration on integers: it starts above the root and decreases to ⌊root⌋. */
function integerRoot(n: bigint, degree: 2 | 3, above: bigint): bigint {
  const k = BigInt(degree);
  let x = above;
  for (;;) {
    const next = ((k - 1n) * x + n / x ** (k - 1n)) / k;
    if (next >= x) return x;
    x = next;
  }
}

/** Slightly more than root · 2^64, from floating point. 32 correct bits are a sufficient start. */
function guessAbove(n: number, degree: 2 | 3): bigint {
  const root = degree === 2 ? Math.sqrt(n) : Math.cbrt(n);
  return (BigInt(Math.ceil(root * 2 ** 32)) + 1n) << 32n;
}
