import { ascii, base64Length, readBase64 } from '../base64.ts';
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
  /** The ciphertext, where the payload has the canonical spelling; it may be overwritten. */
  readonly data?: Uint8Array<ArrayBuffer>;
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
  const all = payloads.map((payload) =>
    typeof payload === 'string' ? new TextEncoder().encode(payload) : payload,
  );
  const room = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  return payloads.map((payload, i) =>
    resultOf(() => {
      const canonical = canonicalIn(all[i]!, room.subarray(at));
      at += canonical?.data.length ?? 0;
      return canonical ?? parseJson(payload);
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
 * Reads the canonical spelling without a parser: all parts are at their positions, the ciphertext is Base64, and the
 * other texts have no quote, no escape and no character beyond ASCII. JSON then has no other meaning.
 *
 * @param room for the ciphertext
 */
function canonicalIn(payload: Uint8Array, room: Uint8Array<ArrayBuffer>) {
  const end = payload.length - END.length;
  const tagAt = end - TAG_CHARACTERS;
  const ivEnd = tagAt - BEFORE_TAG.length;
  const ivAt = ivEnd - IV_CHARACTERS;
  const textEnd = ivAt - BEFORE_IV.length;
  const textAt = BEFORE_TEXT.length;
  const hasParts =
    textEnd >= textAt &&
    isAt(0, BEFORE_TEXT, payload) &&
    isAt(textEnd, BEFORE_IV, payload) &&
    isAt(ivEnd, BEFORE_TAG, payload) &&
    isAt(end, END, payload) &&
    isPlain(payload, ivAt, ivEnd) &&
    isPlain(payload, tagAt, end);
  if (!hasParts) return undefined;
  const text = payload.subarray(textAt, textEnd);
  const data = readBase64(text, room);
  const [ivText, hmacText] = [payload.subarray(ivAt, ivEnd), payload.subarray(tagAt, end)];
  return data && { text, data, ivText, hmacText };
}

function isAt(at: number, part: Uint8Array, payload: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) if (payload[at + i] !== part[i]) return false;
  return true;
}

function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE || byte === BACKSLASH || byte >= 0x80) return false;
  }
  return true;
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
