/* `sealwright/format`: the sealed-message format for Node, Deno, browsers and workers. */
import { checkOptions } from '../crypto/errors.ts';
import { sealedLength as lengthOf } from '../format/wire/sealed-length.ts';
import type { LengthOptions } from '../format/wire/sealed-length.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { EnvelopeError } from '../format/errors.ts';
export { armor, unarmor } from '../format/wire/armor.ts';
export { chunkedDecrypt, chunkedEncrypt } from '../format/chunks/chunked.ts';
export { httpSource, rangeResponse } from '../format/http-ranges.ts';
export { inspect } from '../format/wire/inspect.ts';
export { openMessage, sealMessage } from '../format/message.ts';
export { openRange, openSeekable } from '../format/seekable.ts';
export { openStream, sealStream } from '../format/streams.ts';

export type { ChunkedEncryptOptions, ChunkedOptions } from '../format/chunks/chunked.ts';
export type { Identity, Recipient } from '../format/keys/data-key.ts';
export type { EnvelopeErrorCode } from '../format/errors.ts';
export type { ChunkAead, FormatCrypto } from '../format/format-crypto.ts';
export type { RangeRequest } from '../format/http-ranges.ts';
export type { SealedInfo } from '../format/wire/inspect.ts';
export type { OpenMessageOptions, SaltSource, SealMessageOptions } from '../format/message.ts';
export type {
  OpenRangeOptions,
  RangeReader,
  RangeSource,
  SeekableMessage,
} from '../format/seekable.ts';
export type { OpenStreamOptions, SealStreamOptions } from '../format/streams.ts';
export type { RecipientType, RecipientTypes } from '../format/recipients/recipient-type.ts';
export type { WorkOptions } from '../format/chunks/pipeline.ts';
export type { Purpose } from '../format/wire/header.ts';
export type { LengthOptions } from '../format/wire/sealed-length.ts';

/**
 * Length in bytes of a sealed message. docs/format.md, sections 2, 5 and 6.
 *
 * @param plaintextBytes length of the message, 0 … 2^35 (32 GiB)
 * @throws RangeError for any other number; TypeError for an unknown option
 */
export function sealedLength(plaintextBytes: number, options: LengthOptions = {}): number {
  checkOptions('options', options, { pad: true, recipientsBytes: true });
  return lengthOf(plaintextBytes, options);
}
