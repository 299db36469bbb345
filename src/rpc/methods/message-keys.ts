import { boolean, bytes, literal } from '../validate.ts';

/**
 * Shapes of the keys of one message, as the background gives them out. They seal or open no other
 * message.
 */
export const MESSAGE_KEYS = {
  /** AES-256-GCM. */
  key: bytes(32),
  baseNonce: bytes(12),
  chunkBytes: literal(16_384, 1_048_576),
  padded: boolean,
} as const;
