/**
 * The parameters that algorithms take beside their name, in the words of the Web Cryptography API.
 * Which of them an algorithm needs is said where it is defined.
 */
export interface SubtleParams {
  readonly name: string;
  /** Nonce or initialization vector. */
  readonly iv?: BufferSource;
  readonly additionalData?: BufferSource;
  /** Bits. */
  readonly tagLength?: number;
  /** AES-CTR: the first counter block, 16 bytes. */
  readonly counter?: BufferSource;
  /** Bits: of a key; AES-CTR: of the counter. */
  readonly length?: number;
  readonly hash?: string | { readonly name: string };
  readonly salt?: BufferSource;
  readonly info?: BufferSource;
  readonly iterations?: number;
  /**
   * encrypt and decrypt only: where the result goes. It may be the data themselves. Without it the
   * data are copied at call time; with it they are not, and belong to the call until it settles.
   */
  readonly into?: Uint8Array;
}

/** AlgorithmIdentifier; names are compared without regard to case. */
export type SubtleAlgorithm = string | SubtleParams;
