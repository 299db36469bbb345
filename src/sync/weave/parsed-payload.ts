import { base64Length } from '../base64.ts';
import { SyncError } from '../errors.ts';
import { membersIn, type JsonObject } from '../json-object.ts';
import { resultOf, type Result } from '../results.ts';
import { textsInUtf8 } from '../texts-in-utf8.ts';

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
export function parsePayloads(payloads: readonly string[]): Result<ParsedPayload>[] {
  return textsInUtf8(payloads).map(({ bytes }, i) =>
    resultOf(() => canonicalIn(payloads[i]!, bytes) ?? parseJson(payloads[i]!)),
  );
}

const IV_CHARACTERS = base64Length(IV_BYTES);
const TAG_CHARACTERS = 2 * TAG_BYTES;
const [BEFORE_TEXT, BEFORE_IV, BEFORE_TAG, END] = PARTS;

/**
 * Reads the canonical spelling without a parser: all parts are at their positions, and no text
 * contains a quote or an escape. JSON then has no other meaning.
 *
 * @param bytes the payload as ASCII
 */
function canonicalIn(payload: string, bytes: Uint8Array): ParsedPayload | undefined {
  const end = payload.length - END.length;
  const tagAt = end - TAG_CHARACTERS;
  const ivEnd = tagAt - BEFORE_TAG.length;
  const ivAt = ivEnd - IV_CHARACTERS;
  const textEnd = ivAt - BEFORE_IV.length;
  const textAt = BEFORE_TEXT.length;
  const isCanonical =
    bytes.length === payload.length &&
    textEnd >= textAt &&
    payload.startsWith(BEFORE_TEXT) &&
    payload.startsWith(BEFORE_IV, textEnd) &&
    payload.startsWith(BEFORE_TAG, ivEnd) &&
    payload.endsWith(END) &&
    payload.indexOf('"', textAt) === textEnd &&
    payload.indexOf('"', ivAt) === ivEnd &&
    payload.indexOf('"', tagAt) === end &&
    !payload.includes('\\');
  if (!isCanonical) return undefined;
  return {
    text: bytes.subarray(textAt, textEnd),
    ivText: bytes.subarray(ivAt, ivEnd),
    hmacText: bytes.subarray(tagAt, end),
  };
}

/** @throws SyncError BAD_RECORD */
function parseJson(payload: string): ParsedPayload {
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
