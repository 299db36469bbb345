/*
 * `sealwright/algorithms`: one function for each algorithm, so that a bundle has those that it imports and no others.
 * All of them run in the engine `wasm-simd`.
 */
export { AuthenticationError } from '../crypto/errors.ts';
export {
  aegis128l,
  aegis256,
  aesCcm,
  aesGcm,
  aesGcmSiv,
  aesOcb,
  chacha20Poly1305,
  xchacha20Poly1305,
} from '../algorithms/aead.ts';
export {
  blake2b,
  blake3,
  sha1,
  sha256,
  sha384,
  sha3_256,
  sha3_384,
  sha3_512,
  sha512,
} from '../algorithms/hash.ts';
export { argon2id, hkdf, pbkdf2, scrypt } from '../algorithms/kdf.ts';
export { aesCmac, hmac } from '../algorithms/mac.ts';
export { aesSiv } from '../algorithms/siv.ts';

export type { AeadKey, AeadParams } from '../algorithms/aead.ts';
export type { AlgorithmOptions } from '../algorithms/load.ts';
export type { HashFunction, LoadHash, RunningHash } from '../algorithms/hash.ts';
export type {
  Argon2idParams,
  HkdfParams,
  KeyDerivation,
  Pbkdf2Params,
  ScryptParams,
} from '../algorithms/kdf.ts';
export type { MacKey } from '../algorithms/mac.ts';
export type { SivKey, SivParams } from '../algorithms/siv.ts';
