import { createHash } from 'node:crypto';

/**
 * A private "key" of DSA whose parameters pass the checks that each use makes, although neither p nor
 * q is prime, and which has no signature of `message` with SHA-256: the generator has order 3, its
 * powers g and g² are multiples of q, which makes r = 0, and 1 makes s = 0 because x = -z.
 */
export function endlessDsaKey(message: Uint8Array) {
  const q = 3n * ((1n << 158n) + 1n);
  const g = q * ((1n << 352n) - 1n);
  const p = g * g + g + 1n;
  const digest = createHash('sha256').update(message).digest('hex');
  const z = BigInt(`0x${digest}`) >> 96n;
  const x = (2n * q - (z % q)) % q;
  return { p, q, g, x };
}
