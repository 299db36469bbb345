/** A key encapsulation mechanism as HPKE uses one (RFC 9180, section 4). Lengths are in bytes. */
export interface Kem {
  /** Of HPKE's KEM registry (RFC 9180, section 7.1, and its drafts). */
  readonly id: number;
  /** Both KEMs that we have keep a seed of 32 uniformly random bytes, and any such will do. */
  readonly privateKeyBytes: number;
  readonly publicKeyBytes: number;
  readonly encapsulatedBytes: number;
  /** What `encapsulate` draws on. */
  readonly randomnessBytes: number;

  publicKey(privateKey: Uint8Array): Promise<Uint8Array>;

  /**
   * @param randomness uniformly random, never used twice; wiped by whoever drew it
   * @returns the secret, 32 bytes, to be wiped, and what the recipient makes it again from
   * @throws RangeError for a public key that has the length of one, but is none
   */
  encapsulate(publicKey: Uint8Array, randomness: Uint8Array): Promise<Encapsulation>;

  /**
   * @returns the secret, 32 bytes, to be wiped. What was made for another key gives another secret,
   *   or fails: nothing here is authentic
   * @throws AuthenticationError where the other side's part cannot come from an honest one
   */
  decapsulate(privateKey: Uint8Array, encapsulated: Uint8Array): Promise<Uint8Array>;
}

/** What the sender gets: the secret, and the bytes that carry it to the recipient. */
export interface Encapsulation {
  readonly sharedSecret: Uint8Array;
  readonly encapsulated: Uint8Array;
}
