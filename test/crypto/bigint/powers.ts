/** Helpers for the tests of modular exponentiation in any engine. */
import { randomBytes } from 'node:crypto';

/** Square and multiply with bigints: the independent result. */
export function expectedPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** @returns a random integer of exactly that many bits (0 for 0 bits) */
export function randomInteger(bits: number): bigint {
  if (bits === 0) return 0n;
  const bytes = randomBytes(Math.ceil(bits / 8));
  const value = BigInt(`0x${bytes.toString('hex')}`);
  const top = 1n << BigInt(bits - 1);
  return (value % top) | top;
}

/** Odd moduli whose limbs are all ones, almost all zeros, or just carry at the ends. */
export function awkwardModuli(bits: number): bigint[] {
  const top = 1n << BigInt(bits - 1);
  return [2n * top - 1n, top + 1n, top + (top >> 1n) + 1n, 2n * top - 3n].filter(
    (modulus) => modulus >= 3n && modulus % 2n === 1n,
  );
}

/** An integer of a vector file: hexadecimal, or a JavaScript number, possibly negative. */
export function signed(text: string, radix: 16 | 'literal' = 16): bigint {
  const digits = text.replace('-', '');
  const value = BigInt(radix === 16 ? `0x${digits}` : digits);
  return text.startsWith('-') ? -value : value;
}
