import type { HashAlgorithm } from '../contracts.ts';
import { hashAlgorithm } from './merkle-damgard.ts';
import { firstPrimes, halves, rootFraction } from './sha-constants.ts';
import { compress } from './sha256.ts';

/**
 * Section 5.3.2: the low 32 bits of the initial values of SHA-384, which are from the square roots of the
 * ninth to the sixteenth prime
 */
const INITIAL_384 = halves(
  firstPrimes(16)
    .slice(8)
    .map((prime) => rootFraction(prime, 2)),
);

/**
 * SHA-224 (FIPS 180-4, section 6.3): SHA-256 with other initial values, cut to 28 bytes. Only DSA with a q of
 * 224 bits needs it. It is not a hash of the engines, so it has no name among theirs.
 */
export const SHA224: Omit<HashAlgorithm, 'name'> = hashAlgorithm({
  name: 'SHA-256',
  blockBytes: 64,
  lengthBytes: 8,
  digestBytes: 28,
  initial: INITIAL_384.filter((_, index) => index % 2 === 1),
  scheduleWords: 64,
  compress,
});
