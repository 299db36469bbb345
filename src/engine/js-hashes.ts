/** The hashes of floor 0 in the shape of the engine contract. */
import type { HashAlgorithm } from '../crypto/contracts.ts';
import { SHA1 } from '../crypto/hash/legacy/sha1.ts';
import { SHA256 } from '../crypto/hash/sha256.ts';
import { SHA384, SHA512 } from '../crypto/hash/sha512.ts';
import type { DigestAlgorithm, HashName } from './contract.ts';

export const HASHES: Readonly<Record<HashName, HashAlgorithm>> = {
  'SHA-1': SHA1,
  'SHA-256': SHA256,
  'SHA-384': SHA384,
  'SHA-512': SHA512,
};

export const JS_HASHES: Readonly<Record<HashName, DigestAlgorithm>> = {
  'SHA-1': digest(SHA1),
  'SHA-256': digest(SHA256),
  'SHA-384': digest(SHA384),
  'SHA-512': digest(SHA512),
};

function digest(algorithm: HashAlgorithm): DigestAlgorithm {
  return {
    constantTime: 'by-construction',
    digest: (data) => {
      const hash = algorithm.create().update(data);
      const result = hash.digest();
      hash.wipe();
      return result;
    },
    create: () => algorithm.create(),
  };
}
