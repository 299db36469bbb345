/*
 * Standard Base64 (RFC 4648, section 4) as sync records have it: padded, in one line. Written as
 * ASCII bytes, because that is what is authenticated and sent; strings would be made to be undone.
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

export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** Writes the padded form of `bytes` to `target` from `at` on. @returns where it ends */
export function writeBase64(bytes: Uint8Array, target: Uint8Array, at: number): number {
  const end = at + base64Length(bytes.length);
  for (let to = writeBase64Digits(DIGITS, bytes, target, at); to < end; to++) target[to] = PAD;
  return end;
}

export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(base64Length(bytes.length));
  writeBase64(bytes, text, 0);
  return String.fromCharCode(...text);
}

/**
 * Reads what Firefox's `atob` reads, without the white space that its records never pass with:
 * padding may be missing altogether, and the unused bits of the last digit may be any.
 *
 * @param text as ASCII bytes
 * @param into at least three quarters as long; a new array if absent
 * @returns a view of `into` if given; undefined for anything else
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

/** Without "=" or "==" at the end of a text that they fill up to whole groups of four. */
function unpaddedLength(text: Uint8Array): number {
  const { length } = text;
  if (length % 4 !== 0 || text[length - 1] !== PAD) return length;
  return text[length - 2] === PAD ? length - 2 : length - 1;
}

/** The same of a string. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return readBase64(new TextEncoder().encode(text));
}
