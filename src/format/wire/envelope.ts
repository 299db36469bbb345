/* The public structure of a whole sealed message: what can be read and checked without a key. */
import { EnvelopeError } from '../errors.ts';
import { chunkSuite, mayHaveRecipients, parseHeader } from './header.ts';
import type { Header } from './header.ts';
import { RECIPIENTS_BYTES_MAX, STREAM_SEALED_BYTES_MAX } from './limits.ts';
import { NO_RECIPIENTS, SECTION_LENGTH_BYTES, parseRecipients } from './recipients.ts';
import type { RecipientsSection } from './recipients.ts';
import {
  COMMITMENT_BYTES,
  HEADER_BYTES,
  PREFIX_BYTES,
  SALT_BYTES,
  bodyLength,
} from './sealed-length.ts';

/** Bytes before the first chunk, at most. */
export const PREFIX_BYTES_MAX =
  HEADER_BYTES + SECTION_LENGTH_BYTES + RECIPIENTS_BYTES_MAX + SALT_BYTES + COMMITMENT_BYTES;

/** The part of a message before its chunks. */
export interface Prefix {
  readonly header: Header;
  readonly recipients: RecipientsSection;
  /** Position of the first chunk. */
  readonly chunksOffset: number;
}

/** The public structure of a whole message. */
export interface Envelope extends Prefix {
  /** Length of all chunks opened: the message, with padding if the header says so. */
  readonly bodyBytes: number;
}

/** How many bytes of a message `parsePrefix` needs, by its first bytes. */
export function prefixBytes(start: Uint8Array): number {
  return mayHaveRecipients(start) ? PREFIX_BYTES_MAX : PREFIX_BYTES;
}

/**
 * Reads the part before the chunks.
 *
 * @param head the beginning of a sealed message: `prefixBytes(head)`, or all of a shorter one
 * @throws EnvelopeError BAD_ENVELOPE for anything but a sealed message of version 1; TOO_LARGE if a limit is
 * exceeded
 */
export function parsePrefix(head: Uint8Array): Prefix {
  const header = parseHeader(head);
  const recipients = header.flags.recipients ? parseRecipients(head, HEADER_BYTES) : NO_RECIPIENTS;
  const sectionBytes = header.flags.recipients ? SECTION_LENGTH_BYTES + recipients.bytes.length : 0;
  const chunksOffset = PREFIX_BYTES + sectionBytes;
  if (head.length < chunksOffset) throw cutOff();
  return { header, recipients, chunksOffset };
}

/**
 * Reads the structure of a whole message.
 *
 * @param head the sealed message, or its beginning: PREFIX_BYTES_MAX bytes are always enough
 * @param totalBytes length of the whole sealed message
 * @throws EnvelopeError BAD_ENVELOPE for anything but a sealed message of version 1, cut-off ones
 *   included; TOO_LARGE when a limit is exceeded
 */
export function parseEnvelope(head: Uint8Array, totalBytes: number): Envelope {
  if (totalBytes > STREAM_SEALED_BYTES_MAX) {
    throw new EnvelopeError('TOO_LARGE', `A sealed message of ${totalBytes} bytes is too large`);
  }
  const prefix = parsePrefix(head);
  const { chunkBytes } = chunkSuite(prefix.header.suite);
  const bodyBytes = bodyLength(totalBytes - prefix.chunksOffset, chunkBytes);
  if (bodyBytes === undefined) throw cutOff();
  return { ...prefix, bodyBytes };
}

function cutOff(): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', 'The sealed message is cut off, or too long');
}
