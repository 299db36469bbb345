/*
 * The format's names for the engine operations that it needs (src/engine/message-primitives.ts).
 * NATIVE_CRYPTO is the default.
 */
export type {
  ChunkAead,
  MessagePrimitives as FormatCrypto,
  ThreadAead,
  ThreadPrimitives as ThreadCrypto,
} from '../engine/message-primitives.ts';
