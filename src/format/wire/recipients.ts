/*
 * The recipients section (docs/format.md section 3), present if header flag bit0 is set:
 *
 *   u16 length of all entries ≤ 24,576
 *   for each recipient, 1 … 16 of them:
 *     u8 type ‖ u16 length of id and body ‖ id (16, random per message) ‖ body
 *
 * This file reads and writes the entries of any type; src/format/recipients implements the types.
 */
import { concat, u16be } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../errors.ts';
import { RECIPIENTS_BYTES_MAX, RECIPIENTS_MAX } from './limits.ts';
import { ATTRIBUTES_ENTRY, SOLE_RECIPIENT } from './recipient-table.ts';

/** Length of the id of an entry. */
export const ENTRY_ID_BYTES = 16;
/** Width of the length field of the section. */
export const SECTION_LENGTH_BYTES = 2;
const ENTRY_HEAD_BYTES = 3;

/** One entry. */
export interface RecipientEntry {
  readonly type: number;
  /** 16 bytes, random for each entry of each message. */
  readonly id: Uint8Array;
  /** The sealed data key, as the type defines. */
  readonly body: Uint8Array;
}

/** The section of one message. */
export interface RecipientsSection {
  readonly entries: readonly RecipientEntry[];
  /** The bytes of all entries, without the length field: part of the context. */
  readonly bytes: Uint8Array;
}

/** The section of a message without flag bit0. */
export const NO_RECIPIENTS: RecipientsSection = { entries: [], bytes: new Uint8Array(0) };

/**
 * Encodes entries, without the length field.
 *
 * @throws EnvelopeError TOO_LARGE for more than 16 entries or 24,576 bytes
 */
export function encodeRecipients(entries: readonly RecipientEntry[]): Uint8Array {
  if (entries.length > RECIPIENTS_MAX) throw tooMany(entries.length);
  const bytes = concat(...entries.flatMap(encodeEntry));
  if (bytes.length > RECIPIENTS_BYTES_MAX) throw tooLong(bytes.length);
  return bytes;
}

function encodeEntry({ type, id, body }: RecipientEntry): Uint8Array[] {
  if (id.length + body.length > RECIPIENTS_BYTES_MAX) throw tooLong(body.length);
  return [Uint8Array.of(type), u16be(id.length + body.length), id, body];
}

/**
 * Reads the section that begins at `offset`. The result is not authenticated.
 *
 * @returns copies
 * @throws EnvelopeError BAD_ENVELOPE if it is cut off, empty or inconsistent, TOO_LARGE if it exceeds a limit
 */
export function parseRecipients(sealed: Uint8Array, offset: number): RecipientsSection {
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (sealed.length < offset + SECTION_LENGTH_BYTES) throw malformed();
  const length = view.getUint16(offset);
  if (length > RECIPIENTS_BYTES_MAX) throw tooLong(length);
  const start = offset + SECTION_LENGTH_BYTES;
  if (length === 0 || sealed.length < start + length) throw malformed();
  const bytes = new Uint8Array(sealed.subarray(start, start + length));
  const entries = parseEntries(bytes);
  if (!isSoleRecipientAlone(entries.map(({ type }) => type))) throw malformed();
  return { entries, bytes };
}

/**
 * Whether a recipient of SOLE_RECIPIENT, if there is one, is alone but for the attributes: else one message could ask
 * for sixteen derivations, and have recipients of whom its sealer does not know.
 *
 * @param types of all entries
 */
export function isSoleRecipientAlone(types: readonly number[]): boolean {
  const recipients = types.filter((type) => type !== ATTRIBUTES_ENTRY);
  return recipients.length === 1 || !recipients.includes(SOLE_RECIPIENT);
}

function parseEntries(bytes: Uint8Array): RecipientEntry[] {
  const entries: RecipientEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const entry = parseEntry(bytes.subarray(at));
    if (entries.length === RECIPIENTS_MAX) throw tooMany(RECIPIENTS_MAX + 1);
    entries.push(entry);
    at += ENTRY_HEAD_BYTES + ENTRY_ID_BYTES + entry.body.length;
  }
  return entries;
}

function parseEntry(rest: Uint8Array): RecipientEntry {
  if (rest.length < ENTRY_HEAD_BYTES + ENTRY_ID_BYTES) throw malformed();
  const length = rest[1]! * 256 + rest[2]!;
  if (length < ENTRY_ID_BYTES || rest.length < ENTRY_HEAD_BYTES + length) throw malformed();
  const content = rest.subarray(ENTRY_HEAD_BYTES, ENTRY_HEAD_BYTES + length);
  return {
    type: rest[0]!,
    id: content.subarray(0, ENTRY_ID_BYTES),
    body: content.subarray(ENTRY_ID_BYTES),
  };
}

function malformed(): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', 'Cannot read the recipients: malformed or cut off');
}

/** The error for too many recipients. */
export function tooMany(count: number): EnvelopeError {
  return new EnvelopeError(
    'TOO_LARGE',
    `${count} recipients, at most ${RECIPIENTS_MAX} are allowed`,
  );
}

function tooLong(bytes: number): EnvelopeError {
  const limit = `at most ${RECIPIENTS_BYTES_MAX} are allowed`;
  return new EnvelopeError('TOO_LARGE', `Recipients of ${bytes} bytes, ${limit}`);
}
