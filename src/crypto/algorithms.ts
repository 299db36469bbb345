/**
 * The algorithms as data, with their sizes: no code of an algorithm is imported, so a page or a worker
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
/** Every hash of one length. */
export const HASH_NAMES = /* @__PURE__ */ Object.keys(
  HASH_SIZES,
) as readonly (keyof typeof HASH_SIZES)[];

/** What an AEAD's standard allows and promises. A row of `AEADS`. */
export interface AeadSizes {
  readonly keyBits: readonly number[];
  /** In bytes, both ends included. */
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBytes: readonly number[];
  /** The longest message, in bytes, under a nonce of so many bytes. */
  readonly maxBytes: (nonceBytes: number) => number;
  /**
   * Whether the plaintext, or a part of it, is XORed with a key stream that follows from key and nonce
   * alone: encrypting a ciphertext again under the same nonce then decrypts it.
   */
  readonly encryptingDecrypts: boolean;
  /** The `alg` of its keys as a JWK; without one it is `A`, the key's bits, and the mode. */
  readonly jwkAlg?: string;
}

/** FIPS 197, section 5. */
export const AES_KEY_BITS: readonly number[] = [128, 192, 256];

/** RFC 8439, section 2.8: 2^32 blocks of 64 bytes, the first of which makes the key of Poly1305. */
const CHACHA_MAX_BYTES = (2 ** 32 - 1) * 64;

/**
 * Every AEAD. The contract of engines, known answers, self-test, `subtle` and the page's
 * dictionaries are derived from these rows.
 */
export const AEADS = {
  'AES-GCM': {
    keyBits: AES_KEY_BITS,
    // SP 800-38D, section 5.2.1.1: 1 … 2^64 - 1 bits
    nonceBytes: { min: 1, max: Infinity },
    // SP 800-38D, section 5.2.1.2; its appendix C says when 4 and 8 will do
    tagBytes: [4, 8, 12, 13, 14, 15, 16],
    // SP 800-38D, section 5.2.1.1: 2^39 - 256 bits
    maxBytes: () => 2 ** 36 - 32,
    encryptingDecrypts: true,
  },
  'AES-OCB': {
    keyBits: AES_KEY_BITS,
    // RFC 7253, section 4.2: no longer than 120 bits
    nonceBytes: { min: 1, max: 15 },
    // RFC 7253, section 3.1
    tagBytes: [8, 12, 16],
    maxBytes: () => Infinity,
    // RFC 7253, section 4.2: of a last block that is not full; so short messages are decrypted
    encryptingDecrypts: true,
  },
  'AES-CCM': {
    keyBits: AES_KEY_BITS,
    // SP 800-38C, section A.1: n is 7 … 13, t is 4, 6 … 16, and q = 15 - n bytes hold the length
    nonceBytes: { min: 7, max: 13 },
    tagBytes: [4, 6, 8, 10, 12, 14, 16],
    maxBytes: (nonceBytes) => 2 ** (8 * (15 - nonceBytes)) - 1,
    encryptingDecrypts: true,
  },
  'AES-GCM-SIV': {
    // RFC 8452, section 4
    keyBits: [128, 256],
    nonceBytes: { min: 12, max: 12 },
    tagBytes: [16],
    // RFC 8452, section 6
    maxBytes: () => 2 ** 36,
    // RFC 8452, section 4: the key stream follows from the plaintext too
    encryptingDecrypts: false,
  },
  'ChaCha20-Poly1305': {
    // RFC 8439, section 2.8
    keyBits: [256],
    nonceBytes: { min: 12, max: 12 },
    tagBytes: [16],
    maxBytes: () => CHACHA_MAX_BYTES,
    encryptingDecrypts: true,
    jwkAlg: 'C20P',
  },
  'XChaCha20-Poly1305': {
    // draft-irtf-cfrg-xchacha-03, section 2.3
    keyBits: [256],
    nonceBytes: { min: 24, max: 24 },
    tagBytes: [16],
    maxBytes: () => CHACHA_MAX_BYTES,
    encryptingDecrypts: true,
    // draft-amringer-jose-chacha-02, section 4.1
    jwkAlg: 'XC20P',
  },
} as const satisfies Readonly<Record<string, AeadSizes>>;
/** Every AEAD that takes a nonce. */
export type AeadName = keyof typeof AEADS;
/** Their names, in the order in which people see them. */
export const AEAD_NAMES = Object.keys(AEADS) as readonly AeadName[];
