/* `sealwright/format`: the sealed-message format for Node, Deno, browsers and workers. */
export { armor, unarmor } from './armor.ts';
export { chunkedDecrypt, chunkedEncrypt } from './chunked.ts';
export { inspect } from './inspect.ts';
export { openMessage, sealMessage } from './message.ts';
export { sealedLength } from './sealed-length.ts';

export type { ChunkedEncryptOptions, ChunkedOptions } from './chunked.ts';
export type { Identity, Recipient } from './data-key.ts';
export type { EnvelopeErrorCode } from './errors.ts';
export type { ChunkAead, FormatCrypto } from './format-crypto.ts';
export type { SealedInfo } from './inspect.ts';
export type { OpenMessageOptions, SaltSource, SealMessageOptions } from './message.ts';
export type { WorkOptions } from './progress.ts';
export type { Purpose } from './purpose.ts';
export type { LengthOptions } from './sealed-length.ts';
