/**
 * Byte arrays: joining, comparing, wiping, and their text forms. Base64url is RFC 4648, section 5,
 * without padding; UTF-8 is RFC 3629.
 */

/** @returns a new array with all parts, one after the other */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** @returns a copy in memory of its own; `slice` of a Buffer of Node is a view of the caller's memory */
export function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/**
 * What a function reads that writes `target` meanwhile; undefined: a new array.
 *
 * @returns `bytes`; a copy if they may overlap `target`: two buffers that are not ordinary ones of this realm may be one
 * piece of shared memory
 */
export function apartFrom(target: Uint8Array | undefined, bytes: Uint8Array): Uint8Array {
  if (target === undefined) return bytes;
  const [a, b] = [target.buffer, bytes.buffer];
  const mayOverlap =
    a === b
      ? target.byteOffset < bytes.byteOffset + bytes.length &&
        bytes.byteOffset < target.byteOffset + target.length
      : !(a instanceof ArrayBuffer || b instanceof ArrayBuffer);
  return mayOverlap ? copyOf(bytes) : bytes;
}

/**
 * As `apartFrom`, for a message that is processed in ascending order, so that it may be replaced in place.
 *
 * @returns `source`; a copy if it may overlap `target` and does not begin at the same byte
 */
export const inPlaceOrApart = (target: Uint8Array | undefined, source: Uint8Array): Uint8Array =>
  source.byteOffset === target?.byteOffset ? source : apartFrom(target, source);

/**
 * Compares secret values (tags, keys). Reads every byte of both, so that the time reveals at most the length,
 * which is public.
 */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && equalAt(a, 0, b, 0, a.length);
}

/** Compares parts: a[i … i + length] and b[j … j + length], which must both exist. */
export function equalAt(
  a: Uint8Array,
  i: number,
  b: Uint8Array,
  j: number,
  length: number,
): boolean {
  let difference = 0;
  for (let k = 0; k < length; k++) difference |= a[i + k] ^ b[j + k];
  return difference === 0;
}

/** target ⊕= mask, over the whole of `mask`, which must not be longer than `target`. */
export function xorInto(target: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < mask.length; i++) target[i] ^= mask[i];
}

/**
 * Overwrites with zeros. This cannot reach copies made by the JavaScript engine, the garbage collector or the
 * operating system.
 */
export function wipe(...arrays: readonly { fill(value: 0): unknown }[]): void {
  for (const array of arrays) array.fill(0);
}

/** @returns lower-case hexadecimal, two digits a byte */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/**
 * @param text hexadecimal digits of either case, two for each byte
 * @throws TypeError if `text` is anything else
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new TypeError('text must be pairs of hex digits');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}

// RFC 4648, table 2
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGITS = /* @__PURE__ */ Uint8Array.from(BASE64URL, (digit) => digit.charCodeAt(0));
const NO_DIGIT = 0xff;
/** The value of each digit, by its character code below 128. */
const VALUES = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const value = DIGITS.indexOf(code);
  return value < 0 ? NO_DIGIT : value;
});

/** @returns base64url without padding: ⌈4/3 · length⌉ characters */
export function toBase64url(bytes: Uint8Array): string {
  const digits = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  writeBase64url(bytes, digits, 0);
  let text = '';
  for (let i = 0; i < digits.length; i += ARGUMENTS_MAX) {
    text += String.fromCharCode.apply(
      null,
      digits.subarray(i, i + ARGUMENTS_MAX) as unknown as number[],
    );
  }
  return text;
}

/** Arguments of one call: far below the limit of any engine. */
const ARGUMENTS_MAX = 4096;

/**
 * Writes base64url without padding, as ASCII, to `target` from `at` on: ⌈4/3 · length⌉ bytes.
 *
 * @returns the end of the text
 */
export function writeBase64url(bytes: Uint8Array, target: Uint8Array, at: number): number {
  return writeBase64Digits(DIGITS, bytes, target, at);
}

/**
 * Writes the digits of any alphabet, for formats that add padding.
 *
 * @param digits the ASCII of its 64 digits
 */
export function writeBase64Digits(
  digits: Uint8Array,
  bytes: Uint8Array,
  target: Uint8Array,
  at: number,
): number {
  const rest = bytes.length % 3;
  const whole = bytes.length - rest;
  let to = at;
  for (let i = 0; i < whole; i += 3) {
    const group = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    target[to++] = digits[group >> 18];
    target[to++] = digits[(group >> 12) & 63];
    target[to++] = digits[(group >> 6) & 63];
    target[to++] = digits[group & 63];
  }
  if (rest === 0) return to;
  const group = (bytes[whole] << 16) | (rest === 2 ? bytes[whole + 1] << 8 : 0);
  target[to++] = digits[group >> 18];
  target[to++] = digits[(group >> 12) & 63];
  if (rest === 2) target[to++] = digits[(group >> 6) & 63];
  return to;
}

/**
 * @param text canonical base64url: no padding, no space, and the unused bits of the last character zero (RFC
 * 4648, section 3.5), so that each byte string has exactly one text
 * @throws TypeError for any other text
 */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const rest = text.length % 4;
  const whole = text.length - rest;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let wrong = 0;
  let to = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = digitAt(text, i);
    const b = digitAt(text, i + 1);
    const c = digitAt(text, i + 2);
    const d = digitAt(text, i + 3);
    wrong |= a | b | c | d;
    bytes[to++] = (a << 2) | (b >> 4);
    bytes[to++] = (b << 4) | (c >> 2);
    bytes[to++] = (c << 6) | d;
  }
  // A single last character has less than a byte. Otherwise 4 or 2 bits remain.
  if (rest === 1) throw notBase64url();
  if (rest > 1) {
    const [a, b] = [digitAt(text, whole), digitAt(text, whole + 1)];
    const c = rest === 3 ? digitAt(text, whole + 2) : 0;
    wrong |= a | b | c;
    bytes[to++] = (a << 2) | (b >> 4);
    if (rest === 3) bytes[to] = (b << 4) | (c >> 2);
    if (((rest === 3 ? c << 6 : b << 4) & 0xff) !== 0) throw notBase64url();
  }
  if (wrong > 63) throw notBase64url();
  return bytes;
}

/** 0 to 63, or more for what is no digit. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Without a branch: a character above 127 has a bit above those of NO_DIGIT.
  return VALUES[code & 127] | (code & ~127);
}

function notBase64url(): TypeError {
  return new TypeError('text is not canonical base64url');
}

/**
 * @returns the UTF-8 form
 * @throws TypeError if `text` contains a lone surrogate: it has no UTF-8 form, and with a replacement two
 * texts would have the same bytes
 */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  // A UTF-16 unit takes at most 3 bytes (RFC 3629, section 3); a pair takes 4.
  const bytes = new Uint8Array(3 * text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code >= 0xd800 && code <= 0xdfff) throw new TypeError('text holds a lone surrogate');
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    const trailing = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (trailing === 3) i++; // a pair
    bytes[length++] = (0xff80 >> trailing) | (code >> (6 * trailing)); // 110…, 1110…, 11110…
    for (let j = trailing - 1; j >= 0; j--) bytes[length++] = 0x80 | ((code >> (6 * j)) & 0x3f);
  }
  return bytes.slice(0, length);
}

/** @param value 0 … 2^16 - 1 @returns 2 bytes, big-endian */
export function u16be(value: number): Uint8Array<ArrayBuffer> {
  return integer(value, 2);
}

/** @param value 0 … 2^32 - 1 @returns 4 bytes, big-endian */
export function u32be(value: number): Uint8Array<ArrayBuffer> {
  return integer(value, 4);
}

/** @param value 0 … 2^53 - 1, or a bigint up to 2^64 - 1 @returns 8 bytes, big-endian */
export function u64be(value: number | bigint): Uint8Array<ArrayBuffer> {
  return integer(value, 8);
}

function integer(value: number | bigint, lengthBytes: number): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new TypeError('value must be an integer');
  }
  let rest = BigInt(value);
  if (rest < 0n || rest >> BigInt(8 * lengthBytes) !== 0n) {
    throw new RangeError(`value must fit ${lengthBytes} bytes`);
  }
  const bytes = new Uint8Array(lengthBytes);
  for (let i = lengthBytes - 1; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}
