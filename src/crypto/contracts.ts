/**
 * The interfaces of src/crypto. Everything is synchronous and works on bytes; all
 * lengths are in bytes. A class here holds a key or a stream and must be wiped after use; whatever
 * holds neither is a plain function.
 *
 * Rules that hold for every implementation and are not repeated below:
 * - Inputs are never changed, except a target that is given to be written.
 * - Views may start at any byte offset; nothing needs to be aligned.
 * - A caller's mistake throws TypeError (wrong type) or RangeError (wrong length or value) that
 *   names the argument, before anything is written.
 * - After `wipe()` the object is dead; using it again gives meaningless results.
 */

/**
 * A block cipher under one key, applied to whole runs of 16-byte blocks (ECB, SP 800-38A, section
 * 6.1). Modes are built on this and nothing else.
 *
 * The optional methods are the same work that a mode could do block by block with the two required
 * ones. A cipher offers them when it can keep chain, counter or offset in registers over a run; a
 * mode asks for them and falls back to its portable loop, which has to give the same bytes.
 *
 * These are inner functions: the modes check lengths before they call them.
 */
export interface BlockCipher {
  readonly blockBytes: 16;

  /**
   * Encrypts each block of `source` into `target`.
   *
   * @param source any multiple of 16 bytes, 0 included
   * @param target as long as `source`; may be `source` itself, must not overlap it otherwise
   */
  encryptBlocks(source: Uint8Array, target: Uint8Array): void;

  /** The inverse of `encryptBlocks`, under the same conditions. */
  decryptBlocks(source: Uint8Array, target: Uint8Array): void;

  /**
   * Counter mode over whole blocks: target = source ⊕ E(counter), E(counter + 1), …
   *
   * @param counter 16 bytes; its last 32 bits count big-endian and wrap alone, as inc32 of
   *   SP 800-38D, section 6.2, does. Left at the value after the last block.
   * @param source any multiple of 16 bytes
   * @param target as for `encryptBlocks`
   */
  ctrBlocks?(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void;

  /**
   * CBC encryption over whole blocks (SP 800-38A, section 6.2).
   *
   * @param chain 16 bytes: the IV or the last ciphertext block before this run; left holding the
   *   last ciphertext block of the run.
   * @param source any multiple of 16 bytes
   * @param target as for `encryptBlocks`; absent when only the chain is wanted (CBC-MAC)
   */
  cbcEncryptBlocks?(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void;

  /** The inverse of `cbcEncryptBlocks`: `chain` is left holding the last ciphertext block. */
  cbcDecryptBlocks?(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void;

  /**
   * The middle of OCB (RFC 7253, sections 4.2 and 4.3): for the i-th block, counted on from
   * `run.index`, Offset ⊕= L_{ntz(i)} and target = Offset ⊕ E(source ⊕ Offset).
   *
   * @param inverse whether to use the inverse cipher: target = Offset ⊕ D(source ⊕ Offset)
   */
  offsetBlocks?(run: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void;

  /** Overwrites round keys and whatever else was derived from the key. */
  wipe(): void;
}

/** Where an OCB message stands between two runs of blocks. */
export interface OffsetRun {
  /** Offset_{index}, 16 bytes; moved on by each run. */
  readonly offset: Uint8Array;
  /** L_0 ‖ L_1 ‖ …, 16 bytes each, enough of them for the largest index of the run. */
  readonly masks: Uint8Array;
  /** Blocks processed before this run; moved on by each run. */
  index: number;
}

/**
 * Authenticated encryption with associated data (RFC 5116) under one key. The caller must never
 * use one nonce for two messages under one key.
 */
export interface Aead {
  /** Lengths of nonce that the mode's standard allows. */
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBytes: number;

  /**
   * Encrypts and authenticates.
   *
   * @param unusedNonce `nonceBytes.min` … `nonceBytes.max` bytes, never used before under this key
   * @param plaintext any length that the mode allows, 0 included
   * @param associatedData authenticated and not encrypted; absent and empty are the same
   * @param into where the result goes: at least plaintext.length + tagBytes long. May begin at the
   *   very byte where `plaintext` begins (in place); any other overlap is undefined.
   * @returns ciphertext ‖ tag: plaintext.length + tagBytes bytes, a view of `into` if given
   */
  seal(
    unusedNonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array;

  /**
   * Verifies and decrypts. Not a byte of plaintext is left anywhere if the tag is wrong: what had
   * been written to `into` is zeroed.
   *
   * @param nonce the nonce it was sealed under
   * @param sealed ciphertext ‖ tag
   * @param associatedData the same that it was sealed with
   * @param into at least sealed.length - tagBytes long; may begin where `sealed` begins
   * @returns the plaintext: sealed.length - tagBytes bytes, a view of `into` if given
   * @throws AuthenticationError if anything does not verify, a `sealed` shorter than a tag included
   */
  open(
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array;

  wipe(): void;
}

/** A hash function at work on one message. */
export interface Hash {
  /** Bytes that the compression function takes at once; HMAC needs to know (FIPS 198-1, B). */
  readonly blockBytes: number;
  readonly digestBytes: number;
  /** Appends to the message. @throws Error after `digest()` */
  update(data: Uint8Array): this;
  /** Ends the message. @returns digestBytes bytes. @throws Error when called twice */
  digest(): Uint8Array;
  /** A second hash in the same state, so that a common beginning is hashed once. */
  clone(): Hash;
  wipe(): void;
}

/** FIPS 180-4 */
export type ShaName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
/** FIPS 202 */
export type Sha3Name = 'SHA3-256' | 'SHA3-384' | 'SHA3-512';
/** Names of all hash functions of src/crypto. */
export type HashName = ShaName | Sha3Name | 'BLAKE2b' | 'BLAKE3';

/** A hash function: its sizes in bytes, streaming and one-shot. */
export interface HashAlgorithm<N extends HashName = HashName> {
  readonly name: N;
  readonly blockBytes: number;
  readonly digestBytes: number;
  create(): Hash;
}

/** A message authentication code at work on one message under one key. */
export interface Mac {
  readonly tagBytes: number;
  /** Appends to the message. @throws Error after `digest()` */
  update(data: Uint8Array): this;
  /** Ends the message. @returns tagBytes bytes; compare tags with `equal` of bytes.ts only */
  digest(): Uint8Array;
  wipe(): void;
}
