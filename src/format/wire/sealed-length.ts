/*
 * The lengths of the sealed-message format, version 1 (docs/format.md sections 2, 5 and 6). It imports only
 * the table of recipient types, because the script that runs in pages bundles it. It captures the built-ins
 * that it uses, because a page may replace them later.
 */
import { GROUP_RECIPIENT, KEY_PAIR_TYPES, NAMED_KEY_RECIPIENT } from './recipient-table.ts';
import type { KeyPairType } from './recipient-table.ts';

const { ceil, floor, max } = Math;
const { isSafeInteger } = Number;

/** Header: magic 4, version 1, suite 1, flags 1, purpose 1, key id 16 (docs/format.md section 2). */
export const HEADER_BYTES = 24;
/** C2SP chunked encryption, "Key derivation": the chunks follow a salt and a commitment. */
export const SALT_BYTES = 24;
/** Bytes of the commitment. */
export const COMMITMENT_BYTES = 32;
/** Bytes before the first chunk of a message without recipients. */
export const PREFIX_BYTES = HEADER_BYTES + SALT_BYTES + COMMITMENT_BYTES;
/** AES-GCM tag on each chunk (RFC 5116 section 5.2). */
export const TAG_BYTES = 16;
/** C2SP chunked encryption, "Message chunking": 16 KiB; suite 01. */
export const CHUNK_BYTES = 16_384;
/** Suite 02: 1 MiB, because a WebCrypto call costs 19 to 104 µs for any size. */
export const LARGE_CHUNK_BYTES = 1_048_576;
/** Bodies up to and including this length use suite 01, longer ones suite 02. */
export const SMALL_BODY_BYTES_MAX = 1_048_576;
/** The longest message: 32 GiB. */
export const STREAM_BYTES_MAX = 32 * 2 ** 30;
/** Type, length and id of an entry. */
const ENTRY_HEAD_BYTES = 19;
const DATA_KEY_BYTES = 32;
/** Characters of "swp1.", the prefix of a public key's text. */
const KEY_PREFIX_CHARACTERS = 5;
/** Of a group's id, "swg1." and 33 bytes in base64url. */
const GROUP_ID_CHARACTERS = 49;
/** Group and epoch, before what is as for a named key. */
const GROUP_NAMES_BYTES = 64;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A padded message has at least this length. */
export const PADDED_BYTES_MIN = 32;

/** The properties of a message, other than its length, that determine its sealed length. */
export interface LengthOptions {
  /** Whether the length of the message is hidden (Padmé). Default false. */
  readonly pad?: boolean | undefined;
  /** Bytes of all recipient entries together, without their length field; 0: no recipients. */
  readonly recipientsBytes?: number | undefined;
}

/**
 * Length in bytes of a sealed message.
 *
 * @param plaintextBytes length of the message, 0 … 2^35 (32 GiB)
 * @throws RangeError for any other number
 */
export function sealedLength(plaintextBytes: number, options: LengthOptions = {}): number {
  if (!isSafeInteger(plaintextBytes) || plaintextBytes < 0 || plaintextBytes > STREAM_BYTES_MAX) {
    throw new RangeError(`plaintextBytes must be an integer from 0 to ${STREAM_BYTES_MAX}`);
  }
  const bodyBytes = options.pad ? paddedLength(plaintextBytes) : plaintextBytes;
  const recipientsBytes = options.recipientsBytes ? 2 + options.recipientsBytes : 0;
  return (
    HEADER_BYTES +
    recipientsBytes +
    SALT_BYTES +
    COMMITMENT_BYTES +
    chunkedLength(bodyBytes, chunkBytesFor(bodyBytes))
  );
}

/**
 * Bytes of one recipient entry (docs/format.md section 3): type 1, length 2, id 16, and the body. The
 * body of a key pair is the encapsulation, the data key (32) and a tag (16); of a named key it is a
 * salt, a commitment, the data key and a tag.
 *
 * @param type the type byte
 * @throws RangeError for a type that is not in the table
 */
export function entryBytes(type: number, rows: readonly KeyPairType[] = KEY_PAIR_TYPES): number {
  if (type === NAMED_KEY_RECIPIENT) return entryBytesAfter(SALT_BYTES + COMMITMENT_BYTES);
  for (let i = 0; i < rows.length; i++) {
    if (rows[i]!.type === type) return entryBytesAfter(rows[i]!.encapsulatedBytes);
  }
  throw new RangeError('type: not a recipient type of this version');
}

/** Bytes of the longest entry of any type. */
export function longestEntryBytes(): number {
  return KEY_PAIR_TYPES.reduce(
    (longest, { type }) => max(longest, entryBytes(type)),
    entryBytes(NAMED_KEY_RECIPIENT),
  );
}

/**
 * Bytes of the entries for these public keys (docs/format.md section 3.3). Reads only their length and type
 * byte. A group has one entry; with epochs that admins made at the same time, one for each of them. Uses no methods of strings and arrays, because a page may have replaced them.
 *
 * @throws RangeError for a text that is neither the public key of a sharing key nor the id of a group
 */
export function recipientsBytes(
  publicKeys: readonly string[],
  rows: readonly KeyPairType[] = KEY_PAIR_TYPES,
): number {
  let bytes = 0;
  for (let i = 0; i < publicKeys.length; i++) bytes += entryBytesFor(publicKeys[i]!, rows);
  return bytes;
}

function entryBytesFor(text: string, rows: readonly KeyPairType[]): number {
  const isOurs = text[0] === 's' && text[1] === 'w' && text[3] === '1' && text[4] === '.';
  const byteOfText = isOurs ? firstByteOf(text[5], text[6]) : -1;
  if (text[2] === 'g' && byteOfText === GROUP_RECIPIENT && text.length === GROUP_ID_CHARACTERS) {
    return entryBytesAfter(GROUP_NAMES_BYTES + SALT_BYTES + COMMITMENT_BYTES);
  }
  const type = text[2] === 'p' ? byteOfText : -1;
  for (let i = 0; i < rows.length; i++) {
    const { type: byte, publicKeyBytes, encapsulatedBytes } = rows[i]!;
    const characters = KEY_PREFIX_CHARACTERS + ceil(((1 + publicKeyBytes) * 4) / 3);
    if (byte === type && text.length === characters) return entryBytesAfter(encapsulatedBytes);
  }
  throw new RangeError('to: expected public keys, "swp1.…", of keys for sharing');
}

/** The byte in the first two characters of base64url: 6 bits of the first, 2 of the second. */
function firstByteOf(first: string | undefined, second: string | undefined): number {
  const high = sextetOf(first);
  const low = sextetOf(second);
  return high < 0 || low < 0 ? -1 : high * 4 + floor(low / 16);
}

/** -1 for other characters. */
function sextetOf(character: string | undefined): number {
  for (let i = 0; i < BASE64URL.length; i++) if (BASE64URL[i] === character) return i;
  return -1;
}

function entryBytesAfter(bodyHeadBytes: number): number {
  return ENTRY_HEAD_BYTES + bodyHeadBytes + DATA_KEY_BYTES + TAG_BYTES;
}

/** The chunk size for a body of this length: suite 01 or suite 02. */
export function chunkBytesFor(bodyBytes: number): number {
  return bodyBytes <= SMALL_BODY_BYTES_MAX ? CHUNK_BYTES : LARGE_CHUNK_BYTES;
}

/** Number of chunks. All are full but the last, which is always shorter and may be empty. */
export function chunkCount(bodyBytes: number, chunkBytes: number): number {
  return floor(bodyBytes / chunkBytes) + 1;
}

/** Length of all sealed chunks of a body. */
export function chunkedLength(bodyBytes: number, chunkBytes: number): number {
  return bodyBytes + TAG_BYTES * chunkCount(bodyBytes, chunkBytes);
}

/** The inverse of chunkedLength; undefined for a length that is impossible. */
export function bodyLength(chunkedBytes: number, chunkBytes: number): number | undefined {
  const sealedChunkBytes = chunkBytes + TAG_BYTES;
  const fullChunks = floor(chunkedBytes / sealedChunkBytes);
  const lastBytes = chunkedBytes - fullChunks * sealedChunkBytes - TAG_BYTES;
  return chunkedBytes < 0 || lastBytes < 0 ? undefined : fullChunks * chunkBytes + lastBytes;
}

/**
 * Length of `message ‖ 80 ‖ zeros`: the Padmé length of message ‖ 80, at least 32 bytes.
 *
 * Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
 * PURBs", PoPETs 2019(4), Algorithm 1) keeps the first ⌊log2 E⌋ + 1 binary digits after the
 * leading one, where E = ⌊log2 L⌋, and rounds up: O(log log L) bits leak, at most 12 % is added.
 */
export function paddedLength(messageBytes: number): number {
  const L = messageBytes + 1;
  const E = floorLog2(L);
  const S = floorLog2(E) + 1;
  const step = 2 ** max(0, E - S);
  return max(PADDED_BYTES_MIN, ceil(L / step) * step);
}

/** ⌊log2 n⌋ without rounding errors, and 0 for n = 0, which only the shortest lengths reach. */
function floorLog2(n: number): number {
  let digits = 0;
  for (let rest = n; rest >= 2; rest /= 2) digits++;
  return digits;
}
