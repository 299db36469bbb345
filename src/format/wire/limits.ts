/* The limits of docs/format.md section 10. */
import { STREAM_BYTES_MAX, sealedLength } from './sealed-length.ts';

/** Longest message of the one-shot calls: 64 MiB. Longer ones need a Blob or a stream. */
export const ONE_SHOT_BYTES_MAX = 64 * 2 ** 20;
/** Associated data: 64 KiB. */
export const ASSOCIATED_DATA_BYTES_MAX = 65_536;
/** Recipients of one message. */
export const RECIPIENTS_MAX = 16;
/** Bytes of all recipient entries together. */
export const RECIPIENTS_BYTES_MAX = 24_576;
/** Longest sealed message of the one-shot calls: padded, with all recipients. */
export const ONE_SHOT_SEALED_BYTES_MAX = sealedLength(ONE_SHOT_BYTES_MAX, {
  pad: true,
  recipientsBytes: RECIPIENTS_BYTES_MAX,
});
/** Longest sealed message: 32 GiB, padded, with all recipients. */
export const STREAM_SEALED_BYTES_MAX = sealedLength(STREAM_BYTES_MAX, {
  pad: true,
  recipientsBytes: RECIPIENTS_BYTES_MAX,
});
/** Serialised origin: scheme, host name of at most 253 characters, and port have fewer. */
export const ORIGIN_BYTES_MAX = 1_024;
/** C2SP chunked encryption, "Message chunking": chunk numbers stay below 2^38. */
export const CHUNKS_MAX = 2 ** 38;
