/*
 * The header: the first 24 bytes of every sealed message (docs/format.md section 2).
 *
 *   F5 53 57 4D  01       01     02     01       8d 1f … 16 bytes
 *   magic "õSWM" version  suite  flags  purpose  header key id
 */
import { COBBLESTONE_256, SEALWRIGHT_1MIB, type ChunkSuite } from './suites.ts';
import { EnvelopeError } from '../errors.ts';
import { HEADER_BYTES, SMALL_BODY_BYTES_MAX } from './sealed-length.ts';

/** F5 never occurs in UTF-8 (RFC 3629 section 1), so no text file begins with it. */
const MAGIC = [0xf5, 0x53, 0x57, 0x4d] as const;
const VERSION = 1;
const FLAGS_AT = 6;
/** Length of a header key id. */
export const KEY_ID_BYTES = 16;

const FLAG_RECIPIENTS = 0b001;
const FLAG_ORIGIN_BOUND = 0b010;
const FLAG_PADDED = 0b100;
const FLAGS_KNOWN = FLAG_RECIPIENTS | FLAG_ORIGIN_BOUND | FLAG_PADDED;

/** The header's purpose byte is the position in this list, from 1. */
const PURPOSES = ['page', 'field', 'stream', 'vault', 'backup', 'sync'] as const;

/**
 * The purpose of a message. page: message of a page; field: form field; stream: stream or Blob of a page;
 * vault: value of the vault; backup: backup file; sync: record of a sync service.
 */
export type Purpose = (typeof PURPOSES)[number];

/** The flags byte, as booleans. */
export interface Flags {
  /** Recipients follow the header; the body is sealed under a data key of its own. */
  readonly recipients: boolean;
  /** The origin is part of the context. */
  readonly originBound: boolean;
  readonly padded: boolean;
}

/** The decoded header. */
export interface Header {
  readonly version: 1;
  readonly suite: 1 | 2;
  readonly flags: Flags;
  readonly purpose: Purpose;
  /** 16 bytes; zeros in a message with recipients without the sealer's own key. */
  readonly headerKeyId: Uint8Array;
}

/** The suite for a body of this length, padding included. */
export function suiteFor(bodyBytes: number): 1 | 2 {
  return bodyBytes <= SMALL_BODY_BYTES_MAX ? 1 : 2;
}

/** The suite of streams and Blobs, whatever their length. */
export const STREAM_SUITE = 2;

/** The chunked encryption of a suite. */
export function chunkSuite(suite: 1 | 2): ChunkSuite {
  return suite === 1 ? COBBLESTONE_256 : SEALWRIGHT_1MIB;
}

/** Whether the flags byte indicates recipients. The bytes need not be a message. */
export function mayHaveRecipients(start: Uint8Array): boolean {
  return ((start[FLAGS_AT] ?? 0) & FLAG_RECIPIENTS) !== 0;
}

/** Whether the bytes begin as a sealed message of any version does. */
export function hasMagic(start: Uint8Array): boolean {
  return MAGIC.every((byte, i) => start[i] === byte);
}

/** Encodes a header. @returns 24 bytes */
export function encodeHeader(header: Omit<Header, 'version'>): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(MAGIC);
  bytes[4] = VERSION;
  bytes[5] = header.suite;
  bytes[FLAGS_AT] = flagsByte(header.flags);
  bytes[7] = purposeByte(header.purpose);
  bytes.set(header.headerKeyId, 8);
  return bytes;
}

/**
 * Reads the header at the beginning of `sealed`; nothing is authentic yet.
 *
 * @returns the header, holding a copy of the key id
 * @throws EnvelopeError BAD_ENVELOPE for anything but a header of version 1
 */
export function parseHeader(sealed: Uint8Array): Header {
  if (sealed.length < HEADER_BYTES || !hasMagic(sealed)) {
    throw bad('not a sealed message');
  }
  if (sealed[4] !== VERSION) throw bad(`version ${sealed[4]!} is not known`);
  return {
    version: VERSION,
    suite: parseSuite(sealed[5]!),
    flags: parseFlags(sealed[FLAGS_AT]!),
    purpose: parsePurpose(sealed[7]!),
    headerKeyId: new Uint8Array(sealed.subarray(8, HEADER_BYTES)),
  };
}

function parseSuite(byte: number): 1 | 2 {
  if (byte !== 1 && byte !== 2) throw bad(`suite ${byte} is not known`);
  return byte;
}

function parseFlags(byte: number): Flags {
  if (byte & ~FLAGS_KNOWN) throw bad(`flags ${byte} are not known`);
  return {
    recipients: (byte & FLAG_RECIPIENTS) !== 0,
    originBound: (byte & FLAG_ORIGIN_BOUND) !== 0,
    padded: (byte & FLAG_PADDED) !== 0,
  };
}

function parsePurpose(byte: number): Purpose {
  const purpose = purposeOf(byte);
  if (!purpose) throw bad(`purpose ${byte} is not known`);
  return purpose;
}

function flagsByte(flags: Flags): number {
  return (
    (flags.recipients ? FLAG_RECIPIENTS : 0) |
    (flags.originBound ? FLAG_ORIGIN_BOUND : 0) |
    (flags.padded ? FLAG_PADDED : 0)
  );
}

function bad(reason: string): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', `Cannot read the header: ${reason}`);
}

/** Whether this names a purpose. */
export function isPurpose(name: unknown): name is Purpose {
  return PURPOSES.some((purpose) => purpose === name);
}

/** The byte of a purpose. @throws TypeError for anything else */
export function purposeByte(purpose: Purpose): number {
  const index = PURPOSES.indexOf(purpose);
  if (index < 0) throw new TypeError(`purpose must be one of ${PURPOSES.join(', ')}`);
  return index + 1;
}

/** The purpose of a byte; undefined for an unknown one. */
export function purposeOf(byte: number): Purpose | undefined {
  return PURPOSES[byte - 1];
}
