import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';

/**
 * Controls, line separators and format characters: they are invisible, or change the order or look
 * of the text beside them. The two joiners are excluded, because Persian, Indic scripts and emoji
 * need them.
 */
export const DECEPTIVE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Letters and marks that are drawn as nothing: fillers of Hangul, vowels of Khmer, empty Braille. */
const FILLERS = /\u034f|\u17b4|\u17b5|[\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Marks kept on one letter, as many as written languages use. More would cover adjacent lines. */
const MARKS_MAX = 4;
const STACKS = new RegExp(
  `((?:\\p{M}[\\u200c\\u200d]*){${MARKS_MAX}})[\\p{M}\\u200c\\u200d]+`,
  'gu',
);

/**
 * A text of a site as one line, so that it cannot imitate our own text: line breaks, bidirectional
 * overrides and invisible characters become spaces, runs of spaces become one, stacks of marks lose
 * what is above the fourth, and a long text is cut.
 *
 * @param maxLength - in Unicode code points
 */
export function plainText(text: string, maxLength = 300): string {
  const visible = text.replace(DECEPTIVE, ' ').replace(FILLERS, ' ').replace(/\s+/gu, ' ').trim();
  const line = visible
    .replace(STACKS, '$1')
    .replace(/^\p{M}+/u, '')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * A name of someone else as one line, as `plainText` makes it, that fits where the background takes a name: at most
 * MAX_LABEL_CHARACTERS UTF-16 units, cut between characters. An emoji has two or more.
 */
export function plainName(text: string): string {
  const line = plainText(text, MAX_LABEL_CHARACTERS);
  if (line.length <= MAX_LABEL_CHARACTERS) return line;
  let cut = '';
  for (const character of line) {
    if (cut.length + character.length >= MAX_LABEL_CHARACTERS) break;
    cut += character;
  }
  return `${cut}…`;
}

/**
 * A text in which characters that hide or reorder text are shown as their codes: a right-to-left
 * override as ⟨U+202E⟩. Tabs stay, and CR LF becomes LF.
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

/** The UTF-8 bytes of a text. Lone surrogates become U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of UTF-8 bytes; undefined if they are not valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
