import type { HashAlgorithm } from '../../../src/crypto/contracts.ts';
import { SHA1 } from '../../../src/crypto/hash/legacy/sha1.ts';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { SHA384, SHA512 } from '../../../src/crypto/hash/sha512.ts';

export const HASHES: readonly HashAlgorithm[] = [SHA1, SHA256, SHA384, SHA512];

/** @returns the hash of that name, written "SHA-1" or "sha1" */
export function hashNamed(name: string): HashAlgorithm {
  const found = HASHES.find((hash) => nodeName(hash) === name.toLowerCase().replace('-', ''));
  if (found === undefined) throw new Error(`no hash is named ${name}`);
  return found;
}

/** The name of the hash in node:crypto. */
export function nodeName(hash: HashAlgorithm): string {
  return hash.name.replace('-', '').toLowerCase();
}

/** The same algorithm without `resume`, so that HMAC must clone. */
export function withoutResume(algorithm: HashAlgorithm): HashAlgorithm {
  const { name, blockBytes, digestBytes } = algorithm;
  const bare = (hash: ReturnType<HashAlgorithm['create']>): typeof hash => ({
    blockBytes,
    digestBytes,
    update(data) {
      hash.update(data);
      return this;
    },
    digest: () => hash.digest(),
    clone: () => bare(hash.clone()),
    wipe: () => hash.wipe(),
  });
  return { name, blockBytes, digestBytes, create: () => bare(algorithm.create()) };
}
