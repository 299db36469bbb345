/* What the format needs from an engine, and nothing else. native-crypto.ts is the usual one. */

/** AES-GCM under one key: 12-byte nonce, 16-byte tag at the end, no associated data. */
export interface ChunkAead {
  /**
   * @param unusedNonce never used before under this key: of one chunk of one message
   * @returns ciphertext ‖ tag, `data.length + 16` fresh bytes; `data` is not changed
   */
  seal(unusedNonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /**
   * @returns the plaintext, `data.length - 16` fresh bytes; `data` is not changed
   * @throws AuthenticationError when the tag does not verify
   */
  open(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
}

export interface FormatCrypto {
  /**
   * HKDF-Expand with HMAC-SHA-512 (RFC 5869 section 2.3).
   *
   * @param key the PRK, 16 or 32 uniformly random bytes
   * @returns `lengthBytes` fresh bytes, which belong to the caller, to be wiped
   */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Promise<Uint8Array>;
  /** @param key 16 or 32 bytes; copied, so that the caller may wipe it */
  aesGcm(key: Uint8Array): Promise<ChunkAead>;
  /** There where the engine works on the thread that asks it. */
  readonly onThread?: ThreadCrypto;
}

/** The same without promises, for short messages: a step between promises costs more than a block. */
export interface ThreadCrypto {
  /** HKDF-Expand as above. */
  expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Uint8Array;
  /** @param key 16 or 32 bytes; copied. The AEAD is to be wiped. */
  aesGcm(key: Uint8Array): ThreadAead;
  /** @returns 32 bytes */
  sha256(data: Uint8Array): Uint8Array;
}

/** AES-GCM as ChunkAead has it; what does not verify throws at once. */
export interface ThreadAead {
  seal(unusedNonce: Uint8Array, data: Uint8Array): Uint8Array;
  open(nonce: Uint8Array, data: Uint8Array): Uint8Array;
  wipe(): void;
}
