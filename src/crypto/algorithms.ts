/**
 * The sizes of the algorithms as data: no code of an algorithm is imported, so a page or a worker
 * may read them, and they are known before there is a key.
 */

/** Sizes of a hash, in bytes. */
export interface HashSizes {
  readonly digestBytes: number;
  /** Of the compression function or, for SHA-3, the rate: the usual length of an HMAC key. */
  readonly blockBytes: number;
}

/** FIPS 180-4, figure 1; FIPS 202, table 3; RFC 7693, section 2.1; the BLAKE3 paper, section 2. */
export const HASH_SIZES = {
  'SHA-1': { digestBytes: 20, blockBytes: 64 },
  'SHA-256': { digestBytes: 32, blockBytes: 64 },
  'SHA-384': { digestBytes: 48, blockBytes: 128 },
  'SHA-512': { digestBytes: 64, blockBytes: 128 },
  'SHA3-256': { digestBytes: 32, blockBytes: 136 },
  'SHA3-384': { digestBytes: 48, blockBytes: 104 },
  'SHA3-512': { digestBytes: 64, blockBytes: 72 },
  BLAKE2b: { digestBytes: 64, blockBytes: 128 },
  BLAKE3: { digestBytes: 32, blockBytes: 64 },
} as const satisfies Readonly<Record<string, HashSizes>>;

/**
 * Ciphers whose plaintext is XORed with a key stream that follows from key and nonce alone: encrypting
 * a ciphertext again under the same nonce decrypts it. AES-OCB does that to a last block that is not
 * full (RFC 7253, section 4.2), so it decrypts short messages. The others are safe here: ECB, CBC and
 * KW need the inverse cipher, and in the SIV modes the key stream follows from the plaintext too.
 */
const DECRYPT_BY_ENCRYPTING = [
  'AES-CTR',
  'AES-GCM',
  'AES-CCM',
  'AES-OCB',
  'ChaCha20-Poly1305',
  'XChaCha20-Poly1305',
  'Salsa20',
] as const;
/** Whether one who may encrypt under a nonce of their choice can decrypt as well. */
export const decryptsByEncrypting = (name: string): boolean =>
  (DECRYPT_BY_ENCRYPTING as readonly string[]).includes(name);
