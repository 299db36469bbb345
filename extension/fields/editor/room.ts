import { sealedLength } from '../../../src/format/wire/sealed-length.ts';

/* `maxlength` of a field counts the characters of the sealed text. */

/** Characters of "sw1.", and of base64url for three bytes. */
const PREFIX_CHARACTERS = 4;

/** The length of a text once it is sealed with a key of the user's own. */
export function sealedCharacters(text: string): number {
  const { length } = new TextEncoder().encode(text);
  return PREFIX_CHARACTERS + Math.ceil((sealedLength(length, { pad: true }) * 4) / 3);
}

/** Whether a field can hold any sealed text. @param maxLength -1: no limit */
export const canHoldSealed = (maxLength: number): boolean => hasRoom(maxLength, '');

/** Whether a field can hold a text once it is sealed. */
export const hasRoom = (maxLength: number, text: string): boolean =>
  maxLength < 0 || sealedCharacters(text) <= maxLength;
