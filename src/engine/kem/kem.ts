/** A key encapsulation mechanism as HPKE uses one (RFC 9180, section 4). Lengths are in bytes. */
export interface Kem {
  /** Of HPKE's KEM registry (RFC 9180, section 7.1, and its drafts). */
  readonly id: number;
  /** Both KEMs here have a seed of 32 uniformly random bytes as private key; every such seed is valid. */
  readonly privateKeyBytes: number;
  readonly publicKeyBytes: number;
  readonly encapsulatedBytes: number;
  /** Bytes of randomness for `encapsulate`. */
  readonly randomnessBytes: number;

  publicKey(privateKey: Uint8Array): Promise<Uint8Array>;

  /**
   * The private key of its X25519, with which two people agree without a message. The last 32 bytes of a public key are the
   * public half.
   *
   * @returns 32 fresh bytes, to be wiped
   */
  x25519Key(privateKey: Uint8Array): Uint8Array;

  /**
   * @param randomness uniformly random, never used twice; wiped by the caller
   * @returns the secret, 32 bytes, to be wiped, and the bytes from which the recipient derives it
   * @throws RangeError for an invalid public key of the right length
   */
  encapsulate(publicKey: Uint8Array, randomness: Uint8Array): Promise<Encapsulation>;

  /**
   * @returns the secret, 32 bytes, to be wiped. An encapsulation for another key gives another secret or
   * fails: nothing here is authenticated
   * @throws AuthenticationError if the encapsulation cannot be from an honest sender
   */
  decapsulate(privateKey: Uint8Array, encapsulated: Uint8Array): Promise<Uint8Array>;
}

/** The sender's result: the secret, and the bytes from which the recipient derives it. */
export interface Encapsulation {
  readonly sharedSecret: Uint8Array;
  readonly encapsulated: Uint8Array;
}
