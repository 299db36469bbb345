import { DECEPTIVE } from './plain-text.ts';

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
