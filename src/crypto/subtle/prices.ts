/**
 * What the work of a call of `subtle` costs, as far as it does not depend on the bytes of a message: prices in ns, from
 * the slower of both browsers on two cores that other work shares, rounded up. They are fixed, so that a call that is
 * accepted on one machine is accepted on all. docs/subtle.md lists the bounds.
 */
import type { HASH_SIZES } from '../algorithms.ts';
import type { Price } from './row.ts';

type HashName = keyof typeof HASH_SIZES;

const MIB = 1024 * 1024;
/** Prices are in ns. */
export const NS_PER_MS = 1e6;

/** What one call may cost or ask for at most. */
export const BOUNDS = {
  /** Above this no page gets an answer, and a background that works cannot be stopped. */
  effortMs: 2_000,
  /** Argon2 and scrypt. */
  memoryBytes: 256 * MIB,
  /** Argon2: passes and parallelism, scrypt: p. */
  passes: 16,
  parallelism: 16,
  /** Argon2: RFC 9106, section 3.1 recommends 16. */
  minNonceBytes: 8,
  argon2Bytes: 1024,
  /** A digest or tag whose length the page chooses: 8 ms on a slow core. */
  outputBytes: MIB,
  /** A key of HMAC that is made or derived: what a site may keep in all. */
  keyBits: 8 * MIB,
  /** RSA, DH, DSA. */
  modulusBits: 8192,
  /** The same keys as bytes. */
  keyDataBytes: 16 * 1024,
} as const;

/** In ms. */
export const ms = (value: number): number => value * NS_PER_MS;

/** HMAC takes two blocks for its inner and two for its outer hash. */
export const BLOCKS_OF_HMAC = 4;

/** An iteration of PBKDF2, which hashes two blocks. SHA-3 has no faster implementation than ours. */
const ITERATION_NS: Readonly<Partial<Record<HashName, number>>> = {
  'SHA-1': 400,
  'SHA-256': 400,
  'SHA-384': 800,
  'SHA-512': 800,
};
const SHA3_ITERATION_NS = 2_000;

/** An iteration of PBKDF2. */
export function iterationNs(hash: HashName): number {
  return ITERATION_NS[hash] ?? SHA3_ITERATION_NS;
}

/** A block of a hash. */
export function blockNs(hash: HashName): number {
  return iterationNs(hash) / 2;
}

/** A power modulo an odd number, by a bit³. */
export function powerNs(modulusBits: number, exponentBits: number): number {
  return modulusBits ** 2 * exponentBits * 0.0016;
}

/** The test whether a modulus is prime. */
export function primalityNs(bits: number): number {
  return bits ** 3 * 0.008;
}

/**
 * The use of a key of RSA: reading it takes 2 ms at 8,192 bits, a power under a private key 33.
 *
 * @param exponentBits by the Chinese remainder theorem a private power takes a quarter of the time of one of these
 */
export function rsaNs(modulusBits: number, exponentBits: number): number {
  return modulusBits ** 2 * (0.03 + exponentBits * 6e-5);
}

/** A round of Keccak: an iteration of PBKDF2 is two permutations of 24. */
const KECCAK_ROUND_NS = 42;

/**
 * An extendable-output function or KMAC.
 *
 * @param strength bits of security
 * @param rounds of a permutation
 */
export function sponge(strength: number, rounds: number): Price {
  // FIPS 202, section 4: a permutation for each block of the rate, which is 1,600 bits without twice the strength
  const rateBytes = 200 - strength / 4;
  return ({ members: { outputLength = NaN } }) =>
    (Math.ceil(outputLength / 8) / rateBytes) * rounds * KECCAK_ROUND_NS;
}
