/*
 * The names by which the format and the library know the operations that they need of an engine
 * (src/engine/message-primitives.ts). NATIVE_CRYPTO is the default.
 */
export type {
  ChunkAead,
  MessagePrimitives as FormatCrypto,
  ThreadAead,
  ThreadPrimitives as ThreadCrypto,
} from '../engine/message-primitives.ts';
