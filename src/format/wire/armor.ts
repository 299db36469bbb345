/*
 * One line of text for a sealed message: "sw1." and canonical base64url without padding (RFC 4648
 * sections 3.5 and 5). Each message has exactly one such text. The other form, for texts that pages show, is
 * in web-armor.ts; anything else is refused.
 *
 *   sw1.9VNXTQEBAgGNHw…
 */
import { fromBase64url, toBase64url, utf8, writeBase64url } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { EnvelopeError } from '../errors.ts';
import { ONE_SHOT_SEALED_BYTES_MAX } from './limits.ts';
import { isWebArmor, webUnarmor } from './web-armor.ts';

/** The prefix of armored text. */
export const ARMOR_PREFIX = 'sw1.';

/** Characters of the longest text: 4 for 3 bytes. */
export const ARMOR_TEXT_LENGTH_MAX =
  ARMOR_PREFIX.length + Math.ceil((ONE_SHOT_SEALED_BYTES_MAX * 4) / 3);
/** A multiple of 3, so that the texts of pieces can be joined. */
const PIECE_BYTES = 3 * 2 ** 12;

/**
 * Writes a sealed message as text.
 *
 * @param sealed a sealed message of up to 64 MiB of plaintext
 * @returns "sw1." and ⌈4/3 · sealed.length⌉ characters
 * @throws EnvelopeError TOO_LARGE
 */
export function armor(sealed: Uint8Array): string {
  checkSealed(sealed);
  const texts = [ARMOR_PREFIX];
  for (let at = 0; at < sealed.length; at += 2 * PIECE_BYTES) {
    const [middle, end] = [at + PIECE_BYTES, at + 2 * PIECE_BYTES];
    // A string that grows character by character is a tree of fragments of 32 bytes each until it is
    // flattened. Joining each pair at once avoids gigabytes for 64 MiB.
    const pair = [sealed.subarray(at, middle), sealed.subarray(middle, end)];
    texts.push(pair.map(toBase64url).join(''));
  }
  return texts.join('');
}

/**
 * The same text as ASCII bytes, for sending without making a string.
 *
 * @throws EnvelopeError TOO_LARGE
 */
export function armorBytes(sealed: Uint8Array): Uint8Array<ArrayBuffer> {
  checkSealed(sealed);
  const text = new Uint8Array(ARMOR_PREFIX.length + Math.ceil((sealed.length * 4) / 3));
  text.set(utf8(ARMOR_PREFIX));
  writeBase64url(sealed, text, ARMOR_PREFIX.length);
  return text;
}

/**
 * Reads armored text of either form.
 *
 * @param text exactly the output of armor, without spaces or line ends around it; or web armor
 * @returns the sealed message; nothing about it has been checked
 * @throws EnvelopeError BAD_ENVELOPE for any other text, TOO_LARGE
 */
export function unarmor(text: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new TypeError('text must be a string');
  return isWebArmor(text) ? webUnarmor(text) : unarmorLine(text);
}

/** The same for "sw1." alone, of which formats promise one text for each message. */
export function unarmorLine(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > ARMOR_TEXT_LENGTH_MAX) throw tooLarge();
  if (!text.startsWith(ARMOR_PREFIX)) throw notArmored();
  try {
    return fromBase64url(text.slice(ARMOR_PREFIX.length));
  } catch (error) {
    throw error instanceof TypeError ? notArmored() : error;
  }
}

function checkSealed(sealed: Uint8Array): void {
  checkBytes('sealed', sealed);
  if (sealed.length > ONE_SHOT_SEALED_BYTES_MAX) throw tooLarge();
}

function notArmored(): EnvelopeError {
  const message = `Not a sealed text: "${ARMOR_PREFIX}" and base64url, with nothing before or after it`;
  return new EnvelopeError('BAD_ENVELOPE', message);
}

function tooLarge(): EnvelopeError {
  const limit = `${ONE_SHOT_SEALED_BYTES_MAX} sealed bytes`;
  return new EnvelopeError('TOO_LARGE', `Armored text is for at most ${limit}`);
}
