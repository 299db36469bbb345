/** Adapts the hashes of src/crypto to the engine contract. */
import type { HashAlgorithm } from '../../crypto/contracts.ts';
import { BLAKE2B } from '../../crypto/hash/blake2b.ts';
import { BLAKE3 } from '../../crypto/hash/blake3.ts';
import { SHA1 } from '../../crypto/hash/legacy/sha1.ts';
import { hashOf } from '../../crypto/hash/merkle-damgard.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { SHA3_256, SHA3_384, SHA3_512 } from '../../crypto/hash/sha3.ts';
import { SHA384, SHA512 } from '../../crypto/hash/sha512.ts';
import type { DigestAlgorithm, DigestName, HashName } from '../contract.ts';

/** Every hash of src/crypto, by name. */
export const HASHES: Readonly<Record<HashName, HashAlgorithm>> = {
  'SHA-1': SHA1,
  'SHA-256': SHA256,
  'SHA-384': SHA384,
  'SHA-512': SHA512,
  'SHA3-256': SHA3_256,
  'SHA3-384': SHA3_384,
  'SHA3-512': SHA3_512,
  BLAKE2b: BLAKE2B,
  BLAKE3,
};

/** Every hash, adapted to the engine contract. */
export const JS_HASHES = Object.fromEntries(
  Object.entries(HASHES).map(([name, algorithm]) => [name, digest(algorithm)]),
) as Readonly<Record<DigestName, DigestAlgorithm>>;

function digest(algorithm: HashAlgorithm): DigestAlgorithm {
  return {
    constantTime: 'by-construction',
    digest: (data) => hashOf(algorithm, [data]),
    create: () => algorithm.create(),
  };
}
