/* What the format needs from an engine. native-crypto.ts is the default. */

/** AES-GCM under one key: 12-byte nonce, 16-byte tag at the end, no associated data. */
export interface ChunkAead {
  /** @returns ciphertext ‖ tag, `data.length + 16` fresh bytes; `data` is not changed */
  seal(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /**
   * @returns the plaintext, `data.length - 16` fresh bytes; `data` is not changed
   * @throws AuthenticationError when the tag does not verify
   */
  open(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
}

/** The primitives of the format. */
export interface FormatCrypto {
  /**
   * HKDF-Expand with HMAC-SHA-512 (RFC 5869 section 2.3).
   *
   * @param key the PRK, 16 or 32 uniformly random bytes
   * @returns `lengthBytes` fresh bytes, which the caller wipes
   */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Promise<Uint8Array>;
  /** @param key 16 or 32 bytes; copied, so that the caller may wipe it */
  aesGcm(key: Uint8Array): Promise<ChunkAead>;
  /** Present where the engine runs on the calling thread. */
  readonly onThread?: ThreadCrypto;
}

/** The same without promises, for short messages: a promise costs more time than a block. */
export interface ThreadCrypto {
  /** HKDF-Expand as above. */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Uint8Array;
  /** @param key 16 or 32 bytes; copied. The caller wipes the AEAD. */
  aesGcm(key: Uint8Array): ThreadAead;
  /** @returns 32 bytes */
  sha256(data: Uint8Array): Uint8Array;
}

/** AES-GCM as ChunkAead, but synchronous. `open` throws AuthenticationError. */
export interface ThreadAead {
  seal(nonce: Uint8Array, data: Uint8Array): Uint8Array;
  open(nonce: Uint8Array, data: Uint8Array): Uint8Array;
  wipe(): void;
}
