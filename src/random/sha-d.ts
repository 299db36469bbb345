import type { Hash } from '../crypto/contracts.ts';
import { SHA256, sha256 } from '../crypto/hash/sha256.ts';

/**
 * SHAd-256, the double hash that Fortuna uses against length extension. The editions of the book
 * define it differently:
 *
 * - '2010' ("Cryptography Engineering", section 5.4.2): SHA-256(SHA-256(0^512 ‖ m))
 * - '2003' ("Practical Cryptography", section 6.4.2): SHA-256(SHA-256(m))
 */
export type ShaDVariant = '2010' | '2003';

/** One block of zeros: 0^512 */
const ZERO_BLOCK_BYTES = 64;

/** Starts the inner hash. */
export function beginShaD(variant: ShaDVariant): Hash {
  const hash = SHA256.create();
  return variant === '2010' ? hash.update(new Uint8Array(ZERO_BLOCK_BYTES)) : hash;
}

/** Finishes and wipes a hash of `beginShaD`. @returns 32 bytes */
export function endShaD(hash: Hash): Uint8Array {
  const inner = hash.digest();
  const digest = sha256(inner);
  inner.fill(0);
  hash.wipe();
  return digest;
}
