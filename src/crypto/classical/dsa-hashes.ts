import type { HashAlgorithm } from '../contracts.ts';
import { SHA1 } from '../hash/legacy/sha1.ts';
import { SHA224 } from '../hash/sha224.ts';
import { SHA256 } from '../hash/sha256.ts';
import { SHA384, SHA512 } from '../hash/sha512.ts';

/** A hash function without a name: DSA allows hashes that HashName lacks, such as SHA-224. */
export type DsaHash = Omit<HashAlgorithm, 'name'>;

/** The hashes of FIPS 186-4 and RFC 6979; SHA-1 for old signatures. */
const HASHES = {
  'SHA-1': SHA1,
  'SHA-224': SHA224,
  'SHA-256': SHA256,
  'SHA-384': SHA384,
  'SHA-512': SHA512,
} as const satisfies Record<string, DsaHash>;

/** Names of the hashes that DSA takes. */
export type DsaHashName = keyof typeof HASHES;

/** Names of the hashes that DSA allows. */
export function dsaHash(name: unknown): DsaHash {
  if (typeof name !== 'string' || !Object.hasOwn(HASHES, name)) {
    throw new TypeError(`hash must be one of ${Object.keys(HASHES).join(', ')}`);
  }
  return HASHES[name as DsaHashName];
}
