import { sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { webArmorLength } from '../../../src/format/wire/web-armor.ts';

/*
 * `maxlength` of a field counts the characters of the sealed text, which is web armor in every field. "sw1." would fit into
 * one of 175 to 220 characters. But such fields are titles and names, of which pages make addresses in lower case, capitals
 * by CSS and links: what they store may never open again, and the user would notice when it is needed.
 */

/** The length of a text once it is sealed with a key of the user's own. */
export function sealedCharacters(text: string): number {
  const { length } = new TextEncoder().encode(text);
  return webArmorLength(sealedLength(length, { pad: true }));
}

/** Whether a field can hold any sealed text. @param maxLength -1: no limit */
export const canHoldSealed = (maxLength: number): boolean => hasRoom(maxLength, '');

/** Whether a field can hold a text once it is sealed. */
export const hasRoom = (maxLength: number, text: string): boolean =>
  maxLength < 0 || sealedCharacters(text) <= maxLength;
