/**
 * Controls, line separators and format characters: they change the order or the look of what
 * stands beside them, or show nothing. The two joiners stay, because Persian, Indic scripts and
 * emoji are written with them.
 */
export const DECEPTIVE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A site's own words on one line, so that they cannot imitate ours: line breaks, bidirectional
 * overrides and invisible characters become spaces, runs of spaces one, and length is bounded.
 *
 * @param maxLength - in Unicode code points
 */
export function plainText(text: string, maxLength = 300): string {
  const line = text.replace(DECEPTIVE, ' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * A text for reading, with all that would hide or reorder a part of it shown as what it is: a
 * right-to-left override as ⟨U+202E⟩. Line ends and tabs stay; a line end has one form.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(DECEPTIVE, (found) => (found === '\n' || found === '\t' ? found : codeOf(found)));
}

function codeOf(character: string): string {
  const digits = character.codePointAt(0)!.toString(16).toUpperCase();
  return `⟨U+${digits.padStart(4, '0')}⟩`;
}

/** Text as it is sealed; what a field holds may have halves of surrogate pairs, which no bytes have. */
export function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** @returns undefined for bytes that are no text */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
