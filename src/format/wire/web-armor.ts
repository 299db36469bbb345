/*
 * Web armor (docs/format.md section 7.2): a sealed message as one word of lower-case letters and digits, which
 * markup, typography and mail programs do not change. The word says where it ends and whether it is whole.
 *
 *   swt1aaadb7lul7g…0
 *   "swt1", base32 of (length ‖ message ‖ CRC-32), "0"
 */
import { checkBytes } from '../../crypto/errors.ts';
import { EnvelopeError } from '../errors.ts';

/** The first characters. "1" is not in the alphabet, so that no text contains the beginning of another one. */
export const WEB_ARMOR_PREFIX = 'swt1';
/** The last character, which is not in the alphabet either. */
export const WEB_ARMOR_END = '0';
/**
 * The digits of base32, without 0, 1, i and x: textile makes "3×4" of "3x4", and "i" has another capital in
 * Turkish. One case, because CSS can change the case of what a page shows.
 */
export const WEB_ALPHABET = 'abcdefghjklmnopqrstuvwyz23456789';

const LENGTH_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** The longest message: its length has 3 bytes. Fields hold less; "sw1." is for longer ones. */
export const WEB_ARMOR_BYTES_MAX = 2 ** 24 - 1;
/** The length is known after so many digits. */
const LENGTH_DIGITS = digitsFor(LENGTH_BYTES);
/** The digits after them, which are bits of the magic in every message (section 2). */
const MAGIC_DIGITS = '7lul7g';

/** The prefix where a message follows it, as a pattern for the flags `iu`; also within a word. */
export const WEB_ARMOR_START = `${WEB_ARMOR_PREFIX}(?=[${WEB_ALPHABET}]{${LENGTH_DIGITS}}${MAGIC_DIGITS})`;

/** How a damaged text differs from what was sealed: its end is missing; digits are missing; or were altered. */
export type ArmorDamage = 'cut' | 'missing' | 'altered';

/**
 * Writes a sealed message as web armor.
 *
 * @returns one word of ⌈8/5 · (sealed.length + 7)⌉ + 5 characters (`webArmorLength`)
 * @throws EnvelopeError TOO_LARGE
 */
export function webArmor(sealed: Uint8Array): string {
  checkBytes('sealed', sealed);
  if (sealed.length > WEB_ARMOR_BYTES_MAX) {
    const limit = `${WEB_ARMOR_BYTES_MAX} sealed bytes`;
    throw new EnvelopeError('TOO_LARGE', `Web armor is for at most ${limit}`);
  }
  const framed = new Uint8Array(LENGTH_BYTES + sealed.length + CHECKSUM_BYTES);
  const view = new DataView(framed.buffer);
  view.setUint32(0, sealed.length * 2 ** 8);
  framed.set(sealed, LENGTH_BYTES);
  const end = framed.length - CHECKSUM_BYTES;
  view.setUint32(end, crc32(framed.subarray(0, end)));
  return WEB_ARMOR_PREFIX + toBase32(framed) + WEB_ARMOR_END;
}

/** Characters of the web armor of a sealed message. @param sealedBytes its length */
export const webArmorLength = (sealedBytes: number): number =>
  WEB_ARMOR_PREFIX.length +
  digitsFor(LENGTH_BYTES + sealedBytes + CHECKSUM_BYTES) +
  WEB_ARMOR_END.length;

const SPACE = '[ \\t\\r\\n]*';
const BEGINNING = new RegExp(`^${SPACE}${WEB_ARMOR_PREFIX.split('').join(SPACE)}`, 'i');

/** Whether a text begins like web armor, in either case, and with any white space of ASCII. */
export function isWebArmor(text: string): boolean {
  return BEGINNING.test(text);
}

const WORD = new RegExp(`^${WEB_ARMOR_PREFIX}[${WEB_ALPHABET}]*${WEB_ARMOR_END}?$`, 'i');

/**
 * Reads web armor.
 *
 * @param text the word, in either case, and with any white space of ASCII within and around it
 * @throws EnvelopeError BAD_ENVELOPE for any other text; the message says what the damage is
 */
export function webUnarmor(text: string): Uint8Array<ArrayBuffer> {
  const word = text.replace(/[ \t\r\n]+/g, '');
  if (!WORD.test(word)) throw bad('other characters stand in it');
  const read = readWord(word.toLowerCase());
  if (typeof read === 'string') throw bad(DAMAGES[read]);
  return read;
}

/** What is wrong with a word that begins as web armor does; undefined if it is whole. */
export function webArmorDamage(word: string): ArmorDamage | undefined {
  const read = WORD.test(word) ? readWord(word.toLowerCase()) : 'altered';
  return typeof read === 'string' ? read : undefined;
}

/** How many digits an armor has that begins with these; as many as tell it while that is not known. */
export function webArmorDigits(digits: string): number {
  if (digits.length < LENGTH_DIGITS) return LENGTH_DIGITS;
  const [high, middle, low] = fromBase32(digits.slice(0, LENGTH_DIGITS)).bytes;
  const length = (high! << 16) | (middle! << 8) | low!;
  return digitsFor(LENGTH_BYTES + length + CHECKSUM_BYTES);
}

function readWord(word: string): Uint8Array<ArrayBuffer> | ArmorDamage {
  const isEnded = word.endsWith(WEB_ARMOR_END);
  const digits = word.slice(WEB_ARMOR_PREFIX.length, isEnded ? -1 : undefined);
  const wanted = webArmorDigits(digits);
  if (digits.length < wanted) return isEnded ? 'missing' : 'cut';
  if (digits.length > wanted) return 'altered';
  const { bytes, isCanonical } = fromBase32(digits);
  const end = bytes.length - CHECKSUM_BYTES;
  const checksum = new DataView(bytes.buffer).getUint32(end);
  if (!isCanonical || checksum !== crc32(bytes.subarray(0, end))) return 'altered';
  return isEnded ? bytes.slice(LENGTH_BYTES, end) : 'cut';
}

const DAMAGES: Readonly<Record<ArmorDamage, string>> = {
  cut: 'its end is missing',
  missing: 'characters are missing',
  altered: 'characters were changed',
};

function bad(reason: string): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', `Cannot read the sealed text: ${reason}`);
}

function digitsFor(bytes: number): number {
  return Math.ceil((bytes * 8) / 5);
}

const CODES = /* @__PURE__ */ Uint8Array.from(WEB_ALPHABET, (digit) => digit.charCodeAt(0));
/** The value of each digit, by its character code. */
const VALUES = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, CODES.indexOf(code)),
);

/** Bits are taken from the left; the last digit is filled up with zeros (RFC 4648 section 6). */
function toBase32(bytes: Uint8Array): string {
  const digits = new Uint8Array(digitsFor(bytes.length));
  let [kept, bits, to] = [0, 0, 0];
  for (const byte of bytes) {
    kept = (kept << 8) | byte; // at most 4 + 8 bits are of use, and those above them are shifted out
    for (bits += 8; bits >= 5;) digits[to++] = CODES[(kept >> (bits -= 5)) & 31]!;
  }
  if (bits > 0) digits[to] = CODES[(kept << (5 - bits)) & 31]!;
  return new TextDecoder().decode(digits);
}

/** @param digits of the alphabet alone, in lower case */
function fromBase32(digits: string): { bytes: Uint8Array<ArrayBuffer>; isCanonical: boolean } {
  const bytes = new Uint8Array(Math.floor((digits.length * 5) / 8));
  let [kept, bits, to] = [0, 0, 0];
  for (let i = 0; i < digits.length; i++) {
    kept = (kept << 5) | VALUES[digits.charCodeAt(i)]!;
    bits += 5;
    if (bits >= 8) bytes[to++] = kept >> (bits -= 8);
  }
  return { bytes, isCanonical: (kept & (2 ** bits - 1)) === 0 };
}

/** The polynomial of CRC-32 (ISO 3309, as in gzip), its bits reversed. */
const POLYNOMIAL = 0xedb88320;
const REMAINDERS = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ REMAINDERS[(rest ^ byte) & 0xff]!;
  return ~rest >>> 0;
}
