/**
 * The interfaces of src/crypto. Everything is synchronous and works on bytes; all lengths are in bytes. An
 * object of a class here has a key or a stream and must be wiped after use. Functions have neither.
 *
 * Rules for every implementation, not repeated below:
 * - Inputs are never changed, except a target that is given to be written.
 * - Views may start at any byte offset; no alignment is needed.
 * - A caller's mistake throws TypeError (wrong type) or RangeError (wrong length or value) that names the
 * argument, before anything is written.
 * - After `wipe()` an object must not be used; its results would be meaningless.
 */

/** The block lengths of the ciphers here: 8 bytes is IDEA. */
export type BlockBytes = 8 | 16;

/**
 * A block cipher under one key, applied to runs of blocks (ECB, SP 800-38A, section 6.1). The modes use only
 * this interface. Those that take `BlockCipher<BlockBytes>` work with both lengths; the others, such as GCM
 * and SIV, are defined for blocks of 16 bytes.
 *
 * The optional methods do the work that a mode could do block by block with the two required ones. A cipher
 * implements them if it can keep chain, counter or offset in registers during a run. A mode without them uses
 * its portable loop, which gives the same bytes.
 *
 * These are internal functions: the modes check lengths before they call them.
 */
export interface BlockCipher<B extends BlockBytes = 16> {
  readonly blockBytes: B;

  /**
   * Encrypts each block of `source` into `target`.
   *
   * @param source whole blocks, none included
   * @param target as long as `source`; may be `source` itself, must not overlap it otherwise
   */
  encryptBlocks(source: Uint8Array, target: Uint8Array): void;

  /** The inverse of `encryptBlocks`, under the same conditions. */
  decryptBlocks(source: Uint8Array, target: Uint8Array): void;

  /**
   * Counter mode over whole blocks: target = source ⊕ E(counter), E(counter + 1), …
   *
   * @param counter one block; its last 32 bits count big-endian and wrap without a carry, as inc32 of SP
   * 800-38D, section 6.2. Updated to the value after the last block.
   * @param source whole blocks
   * @param target as for `encryptBlocks`, or longer
   */
  ctrBlocks?(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void;

  /**
   * CBC encryption over whole blocks (SP 800-38A, section 6.2).
   *
   * @param chain one block: the IV or the last ciphertext block before this run; updated to the last
   * ciphertext block of the run
   * @param source whole blocks
   * @param target as for `encryptBlocks`; absent if only the chain is needed (CBC-MAC)
   */
  cbcEncryptBlocks?(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void;

  /** The inverse of `cbcEncryptBlocks`: updates `chain` to the last ciphertext block. */
  cbcDecryptBlocks?(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void;

  /**
   * The main loop of OCB (RFC 7253, sections 4.2 and 4.3): for the i-th block, counted from `run.index`,
   * Offset ⊕= L_{ntz(i)} and target = Offset ⊕ E(source ⊕ Offset).
   *
   * @param inverse whether to use the inverse cipher: target = Offset ⊕ D(source ⊕ Offset)
   */
  offsetBlocks?(run: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void;

  /** Whether `offsetBlocks` updates `run.sum`. If not, the mode adds the plaintext in a pass of its own. */
  readonly sumsPlaintext?: boolean;

  /** Overwrites round keys and all other values that were derived from the key. */
  wipe(): void;
}

/** The state of an OCB message between two runs of blocks. */
export interface OffsetRun {
  /** Offset_{index}, one block; updated by each run. */
  readonly offset: Uint8Array;
  /** L_0 ‖ L_1 ‖ …, one block each, up to the largest index of the run. */
  readonly masks: Uint8Array;
  /** Blocks processed before this run; updated by each run. */
  index: number;
  /** Checksum_{index}, one block: the XOR of the plaintext's blocks; updated by ciphers with `sumsPlaintext`. */
  readonly sum: Uint8Array;
}

/**
 * Authenticated encryption with associated data (RFC 5116) under one key. The caller must never
 * use one nonce for two messages under one key.
 */
export interface Aead {
  /** Nonce lengths that the mode's standard allows. */
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBytes: number;

  /**
   * Encrypts and authenticates.
   *
   * @param unusedNonce `nonceBytes.min` … `nonceBytes.max` bytes, never used before under this key
   * @param plaintext any length that the mode allows, 0 included
   * @param associatedData authenticated and not encrypted; absent and empty are the same
   * @param into receives the result: at least plaintext.length + tagBytes long. May overlap every argument: what it
   * would overwrite is copied first, except a `plaintext` that begins at the same byte (in place).
   * @returns ciphertext ‖ tag: plaintext.length + tagBytes bytes, a view of `into` if given
   */
  seal(
    unusedNonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array;

  /**
   * Verifies and decrypts. If the tag is wrong, no plaintext remains: `into` is zeroed.
   *
   * @param nonce the nonce it was sealed under
   * @param sealed ciphertext ‖ tag
   * @param associatedData as for sealing
   * @param into at least sealed.length - tagBytes long; may overlap, as for sealing
   * @returns the plaintext: sealed.length - tagBytes bytes, a view of `into` if given
   * @throws AuthenticationError if anything does not verify, also if `sealed` is shorter than a tag
   */
  open(
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array;

  wipe(): void;
}

/** The hash of one message, computed incrementally. */
export interface Hash {
  /** Bytes that the compression function processes at once. HMAC needs this length (FIPS 198-1, B). */
  readonly blockBytes: number;
  readonly digestBytes: number;
  /** Appends to the message. @throws Error after `digest()` */
  update(data: Uint8Array): this;
  /** Ends the message. @returns digestBytes bytes. @throws Error when called twice */
  digest(): Uint8Array;
  /** Copies the state, so that a common prefix is hashed once. */
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

/** The MAC of one message under one key, computed incrementally. */
export interface Mac {
  readonly tagBytes: number;
  /** Appends to the message. @throws Error after `digest()` */
  update(data: Uint8Array): this;
  /** Ends the message. @returns tagBytes bytes; compare tags with `equal` of bytes.ts only */
  digest(): Uint8Array;
  wipe(): void;
}
