/*
 * Standard Base64 (RFC 4648, section 4) as in sync records: padded, in one line. The functions write
 * ASCII bytes and not strings, because records authenticate and send these bytes.
 */

import { writeBase64Digits } from '../crypto/bytes.ts';

const DIGITS = ascii('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d; // "="
const NO_DIGIT = 0xff;
const VALUES = new Uint8Array(256).fill(NO_DIGIT);
DIGITS.forEach((digit, value) => (VALUES[digit] = value));

/** @returns its characters as bytes; all must be ASCII */
export function ascii(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Characters of the padded form of so many bytes. */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** Writes the padded form of `bytes` to `target` from `at` on. @returns where it ends */
export function writeBase64(bytes: Uint8Array, target: Uint8Array, at: number): number {
  const end = at + base64Length(bytes.length);
  for (let to = writeBase64Digits(DIGITS, bytes, target, at); to < end; to++) target[to] = PAD;
  return end;
}

/** The padded form as a string. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(base64Length(bytes.length));
  writeBase64(bytes, text, 0);
  return String.fromCharCode(...text);
}

/**
 * Reads what Firefox's `atob` reads, except white space: padding may be missing, and the unused bits
 * of the last digit may have any value.
 *
 * @param text as ASCII bytes
 * @param into at least three quarters as long; a new array if absent
 * @returns a view of `into` if given; undefined if the text is not Base64
 */
export function readBase64(
  text: Uint8Array,
  into?: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | undefined {
  const length = unpaddedLength(text);
  if (length % 4 === 1) return undefined;
  const bytesLength = (length * 3) >> 2;
  const bytes = into?.subarray(0, bytesLength) ?? new Uint8Array(bytesLength);
  const whole = length - (length % 4);
  let wrong = 0;
  let to = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = VALUES[text[i]!]!;
    const b = VALUES[text[i + 1]!]!;
    const c = VALUES[text[i + 2]!]!;
    const d = VALUES[text[i + 3]!]!;
    wrong |= a | b | c | d;
    bytes[to++] = (a << 2) | (b >> 4);
    bytes[to++] = (b << 4) | (c >> 2);
    bytes[to++] = (c << 6) | d;
  }
  for (let i = whole, pending = 0; i < length; i++) {
    const value = VALUES[text[i]!]!;
    wrong |= value;
    if (i > whole) bytes[to++] = (pending << (2 * (i - whole))) | (value >> (6 - 2 * (i - whole)));
    pending = value;
  }
  return wrong > 63 ? undefined : bytes;
}

/** Length without "=" or "==" at the end, if they complete a group of four characters. */
function unpaddedLength(text: Uint8Array): number {
  const { length } = text;
  if (length % 4 !== 0 || text[length - 1] !== PAD) return length;
  return text[length - 2] === PAD ? length - 2 : length - 1;
}

/** Reads a string as `readBase64` does. @returns undefined if it is not Base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return readBase64(new TextEncoder().encode(text));
}
