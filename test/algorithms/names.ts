/** The functions of `sealwright/algorithms` by the names of docs/library.md. */
import type { AeadName } from '../../src/crypto/algorithms.ts';
import type { HashName } from '../../src/crypto/contracts.ts';
import {
  aesCcm,
  aesGcm,
  aesGcmSiv,
  aesOcb,
  blake2b,
  blake3,
  chacha20Poly1305,
  sha1,
  sha256,
  sha384,
  sha3_256,
  sha3_384,
  sha3_512,
  sha512,
  xchacha20Poly1305,
} from '../../src/library/algorithms.ts';
import type { AeadKey, AlgorithmOptions, LoadHash } from '../../src/library/algorithms.ts';

type LoadAead = (key: Uint8Array, options?: AlgorithmOptions) => Promise<AeadKey>;

export const AEADS: { readonly [N in AeadName]: LoadAead } = {
  'AES-GCM': aesGcm,
  'AES-OCB': aesOcb,
  'AES-CCM': aesCcm,
  'AES-GCM-SIV': aesGcmSiv,
  'ChaCha20-Poly1305': chacha20Poly1305,
  'XChaCha20-Poly1305': xchacha20Poly1305,
};

export const HASHES: { readonly [N in HashName]: LoadHash } = {
  'SHA-1': sha1,
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
  'SHA3-256': sha3_256,
  'SHA3-384': sha3_384,
  'SHA3-512': sha3_512,
  BLAKE2b: blake2b,
  BLAKE3: blake3,
};
