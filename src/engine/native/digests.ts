import type { Algorithms, DigestAlgorithm, HashName } from '../contract.ts';
import { attempt, source } from './platform.ts';

/** SHA of WebCrypto, and SHA-3 if the WICG draft is implemented. Digests whole messages only. */

const HASHES: readonly HashName[] = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
];

/** @returns the platform's hashes */
export async function probeDigests(subtle: SubtleCrypto): Promise<Algorithms> {
  const empty = new Uint8Array(0);
  const found = await Promise.all(
    HASHES.map(async (hash) =>
      (await attempt(() => subtle.digest(hash, empty))) ? [[hash, digest(subtle, hash)]] : [],
    ),
  );
  return Object.fromEntries(found.flat()) as Algorithms;
}

function digest(subtle: SubtleCrypto, hash: HashName): DigestAlgorithm {
  return {
    constantTime: 'platform',
    digest: async (data) => new Uint8Array(await subtle.digest(hash, source(data))),
  };
}

/**
 * SHA-256 of the platform, for content scripts, which have no registry.
 *
 * @returns 32 bytes
 */
export async function nativeSha256(data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', source(data)));
}
