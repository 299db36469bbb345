/* The public structure of a whole sealed message: what can be read and checked without a key. */
import { EnvelopeError } from './errors.ts';
import { chunkSuite, parseHeader } from './header.ts';
import type { Header } from './header.ts';
import { RECIPIENTS_BYTES_MAX, STREAM_SEALED_BYTES_MAX } from './limits.ts';
import { NO_RECIPIENTS, SECTION_LENGTH_BYTES, parseRecipients } from './recipients.ts';
import type { RecipientsSection } from './recipients.ts';
import { COMMITMENT_BYTES, HEADER_BYTES, SALT_BYTES, bodyLength } from './sealed-length.ts';

/** No message has more bytes than this before its first chunk. */
export const PREFIX_BYTES_MAX =
  HEADER_BYTES + SECTION_LENGTH_BYTES + RECIPIENTS_BYTES_MAX + SALT_BYTES + COMMITMENT_BYTES;

export interface Envelope {
  readonly header: Header;
  readonly recipients: RecipientsSection;
  /** Where the first chunk begins. */
  readonly chunksOffset: number;
  /** Length of all chunks opened: the message, with padding if the header says so. */
  readonly bodyBytes: number;
}

/**
 * @param head the sealed message, or its beginning: PREFIX_BYTES_MAX bytes are always enough
 * @param totalBytes length of the whole sealed message
 * @throws EnvelopeError BAD_ENVELOPE for anything but a sealed message of version 1, cut-off ones
 *   included; TOO_LARGE when a limit is passed
 */
export function parseEnvelope(head: Uint8Array, totalBytes: number): Envelope {
  if (totalBytes > STREAM_SEALED_BYTES_MAX) {
    throw new EnvelopeError('TOO_LARGE', `A sealed message of ${totalBytes} bytes is too large`);
  }
  const header = parseHeader(head);
  const recipients = header.flags.recipients ? parseRecipients(head, HEADER_BYTES) : NO_RECIPIENTS;
  const sectionBytes = header.flags.recipients ? SECTION_LENGTH_BYTES + recipients.bytes.length : 0;
  const chunksOffset = HEADER_BYTES + sectionBytes + SALT_BYTES + COMMITMENT_BYTES;
  const bodyBytes = bodyLength(totalBytes - chunksOffset, chunkSuite(header.suite).chunkBytes);
  if (bodyBytes === undefined) {
    throw new EnvelopeError('BAD_ENVELOPE', 'The sealed message is cut off, or has bytes too many');
  }
  return { header, recipients, chunksOffset, bodyBytes };
}
