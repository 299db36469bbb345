import { ascii, base64Length } from '../base64.ts';
import { SyncError } from '../errors.ts';
import { membersIn, type JsonObject } from '../json-object.ts';
import { resultOf, type Result } from '../results.ts';

/** The canonical spelling of a payload, around its three texts: Base64, Base64, lower-case hexadecimal. */
export const PARTS = ['{"ciphertext":"', '","IV":"', '","hmac":"', '"}'] as const;

/** Length of an IV. */
export const IV_BYTES = 16;
/** HMAC-SHA-256 */
export const TAG_BYTES = 32;

/** The texts of a payload, as ASCII bytes. Not verified. */
export interface ParsedPayload {
  /** The ciphertext's Base64. */
  readonly text: Uint8Array;
  readonly ivText: Uint8Array;
  readonly hmacText: Uint8Array;
}

/**
 * Parses a batch of payloads in any JSON spelling and ignores other members, as all clients do. Nearly
 * all payloads have the canonical spelling, which is read without a JSON parser.
 *
 * @returns a SyncError BAD_RECORD for each payload of another form
 */
export function parsePayloads(payloads: readonly (string | Uint8Array)[]): Result<ParsedPayload>[] {
  return payloads.map((payload) =>
    resultOf(() => {
      const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
      return canonicalIn(bytes) ?? parseJson(payload);
    }),
  );
}

const IV_CHARACTERS = base64Length(IV_BYTES);
const TAG_CHARACTERS = 2 * TAG_BYTES;
const [BEFORE_TEXT, BEFORE_IV, BEFORE_TAG, END] = [
  ascii(PARTS[0]),
  ascii(PARTS[1]),
  ascii(PARTS[2]),
  ascii(PARTS[3]),
];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads the canonical spelling without a parser: all parts are at their positions, no text contains a
 * quote or an escape, and all is ASCII. JSON then has no other meaning.
 */
function canonicalIn(payload: Uint8Array): ParsedPayload | undefined {
  const end = payload.length - END.length;
  const tagAt = end - TAG_CHARACTERS;
  const ivEnd = tagAt - BEFORE_TAG.length;
  const ivAt = ivEnd - IV_CHARACTERS;
  const textEnd = ivAt - BEFORE_IV.length;
  const textAt = BEFORE_TEXT.length;
  const isCanonical =
    textEnd >= textAt &&
    isAt(0, BEFORE_TEXT, payload) &&
    isAt(textEnd, BEFORE_IV, payload) &&
    isAt(ivEnd, BEFORE_TAG, payload) &&
    isAt(end, END, payload) &&
    payload.indexOf(QUOTE, textAt) === textEnd &&
    payload.indexOf(QUOTE, ivAt) === ivEnd &&
    payload.indexOf(QUOTE, tagAt) === end &&
    !payload.includes(BACKSLASH) &&
    isAscii(payload);
  if (!isCanonical) return undefined;
  return {
    text: payload.subarray(textAt, textEnd),
    ivText: payload.subarray(ivAt, ivEnd),
    hmacText: payload.subarray(tagAt, end),
  };
}

function isAt(at: number, part: Uint8Array, payload: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) if (payload[at + i] !== part[i]) return false;
  return true;
}

function isAscii(bytes: Uint8Array): boolean {
  let all = 0;
  for (let i = 0; i < bytes.length; i++) all |= bytes[i]!;
  return all < 0x80;
}

/** @throws SyncError BAD_RECORD */
function parseJson(payload: string | Uint8Array): ParsedPayload {
  const { ciphertext, IV, hmac }: JsonObject = membersIn(payload) ?? {};
  if (typeof ciphertext !== 'string' || typeof IV !== 'string' || typeof hmac !== 'string') {
    throw noPayload();
  }
  return { text: asciiOf(ciphertext), ivText: asciiOf(IV), hmacText: asciiOf(hmac) };
}

/** @throws SyncError BAD_RECORD if the text is not ASCII, and so not Base64 */
function asciiOf(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length !== text.length) throw noPayload();
  return bytes;
}

function noPayload(): SyncError {
  return new SyncError('BAD_RECORD', 'payload: expected JSON of ciphertext, IV and hmac');
}
