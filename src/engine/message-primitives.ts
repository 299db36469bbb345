/**
 * The operations that sealed messages need, without the rest of an engine: HKDF-Expand with
 * HMAC-SHA-512 and AES-GCM.
 */

/**
 * Messages up to this length are sealed and opened on the calling thread: 64 KiB take 0.1 to 0.2 ms, less
 * than the start of a WebCrypto call. Longer ones are faster in WebCrypto's threads, and would block other
 * calls here.
 */
export const THREAD_BYTES_MAX = 64 * 1024;

/** The limit for HMAC-SHA-256 in JavaScript. */
export const THREAD_MAC_BYTES_MAX = 4 * 1024;

/** AES-GCM under one key: 12-byte nonce, 16-byte tag at the end, no associated data. */
export interface ChunkAead {
  /**
   * @param unusedNonce never used before under this key: of one chunk of one message
   * @returns ciphertext ‖ tag, `data.length + 16` new bytes; `data` is not changed
   */
  seal(unusedNonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /**
   * @returns the plaintext, `data.length - 16` new bytes; `data` is not changed
   * @throws AuthenticationError if the tag does not verify
   */
  open(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
}

/** The operations for messages of any length. */
export interface MessagePrimitives {
  /**
   * HKDF-Expand with HMAC-SHA-512 (RFC 5869 section 2.3).
   *
   * @param key the PRK, 16 or 32 uniformly random bytes
   * @returns `lengthBytes` new bytes, which the caller wipes
   */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Promise<Uint8Array>;
  /** @param key 16 or 32 bytes; copied, so that the caller may wipe it */
  aesGcm(key: Uint8Array): Promise<ChunkAead>;
  /** SHA-256 (FIPS 180-4) of long data: 32 bytes. Absent: the platform's. */
  readonly sha256?: (data: Uint8Array) => Promise<Uint8Array>;
  /** Present if the engine works on the calling thread. */
  readonly onThread?: ThreadPrimitives;
}

/**
 * Synchronous operations for short messages: one promise costs more time than the encryption of one block.
 */
export interface ThreadPrimitives {
  /** HKDF-Expand as above. */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Uint8Array;
  /** @param key 16 or 32 bytes; copied. The caller wipes the AEAD. */
  aesGcm(key: Uint8Array): ThreadAead;
  /** @returns 32 bytes */
  sha256(data: Uint8Array): Uint8Array;
}

/** Like `ChunkAead`, but synchronous: `open` throws AuthenticationError at once. */
export interface ThreadAead {
  /** @returns ciphertext ‖ tag, `data.length + 16` new bytes */
  seal(unusedNonce: Uint8Array, data: Uint8Array): Uint8Array;
  /** @throws AuthenticationError if the tag does not verify */
  open(nonce: Uint8Array, data: Uint8Array): Uint8Array;
  /** Overwrites the key. The AEAD cannot be used afterwards. */
  wipe(): void;
}
