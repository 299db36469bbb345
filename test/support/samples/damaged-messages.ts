const MIB = 2 ** 20;
const HEADER_BYTES = 80;
const SEALED_CHUNK = MIB + 16;

/** The length of the message that is damaged: three chunks and a short one. */
export const MESSAGE_BYTES = 3 * MIB + 5;

/** One way to damage a sealed message. Places count from its beginning, or from its end where they are negative. */
export interface Damage {
  /** Flips a bit of this byte. */
  readonly flip?: number;
  /** Keeps the bytes before this one. */
  readonly cut?: number;
  /** Opens the message in another context. */
  readonly otherContext?: true;
  /**
   * The code with which a call rejects. A stream rejects with AUTH_FAILED. What is too short for any message is told
   * from its public length, which a stream does not know.
   */
  readonly code: 'AUTH_FAILED' | 'BAD_ENVELOPE';
  /** How many whole chunks stand before the damage. */
  readonly chunks: number;
}

/** For both tests of the bulk lane: over channels in Node, and in the built extension. */
export const DAMAGES: readonly Damage[] = [
  { flip: HEADER_BYTES, code: 'AUTH_FAILED', chunks: 0 },
  { flip: HEADER_BYTES + 2 * SEALED_CHUNK + 9, code: 'AUTH_FAILED', chunks: 2 },
  { flip: -1, code: 'AUTH_FAILED', chunks: 3 },
  { flip: 60, code: 'AUTH_FAILED', chunks: 0 },
  { cut: HEADER_BYTES + 2 * SEALED_CHUNK, code: 'BAD_ENVELOPE', chunks: 2 },
  { cut: -1, code: 'AUTH_FAILED', chunks: 3 },
  { cut: HEADER_BYTES, code: 'BAD_ENVELOPE', chunks: 0 },
  { otherContext: true, code: 'AUTH_FAILED', chunks: 0 },
];
