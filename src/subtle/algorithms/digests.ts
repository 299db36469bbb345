/**
 * SHA-1 and SHA-2 (Web Cryptography API, 34; FIPS 180-4), SHA-3 (WICG draft; FIPS 202), BLAKE2b
 * with 64 bytes (RFC 7693) and BLAKE3 with 32.
 */
import type { DigestName } from '../../engine/contract.ts';
import type { Definition } from './definition.ts';

/** Every hash that `digest` knows. */
export const DIGEST_NAMES = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'BLAKE2b',
  'BLAKE3',
] as const satisfies readonly DigestName[];

/** The operation `digest` of each of them. */
export const DIGESTS: readonly Definition[] = DIGEST_NAMES.map((name) => ({
  name,
  digest: () => (runtime, data) => runtime.digest(name, data),
}));
