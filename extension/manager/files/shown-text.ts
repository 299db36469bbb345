import { utf8Text, visibleText } from '../../ui/text/plain-text.ts';

/** As much as one element shows without delay. */
const SHOWN_CHARACTERS = 100_000;

/** A text, and the part of it that is shown. */
export interface ShownText {
  readonly whole: string;
  readonly shown: string;
  /** Whether `shown` is only the beginning. */
  readonly isCut: boolean;
  /** Whether characters that hide or reorder text are shown as their codes. */
  readonly hidesSome: boolean;
}

/** Prepares bytes for display. @returns undefined if they are not UTF-8 text */
export function shownText(bytes: Uint8Array): ShownText | undefined {
  const whole = utf8Text(bytes);
  if (whole === undefined) return undefined;
  const beginning = whole.slice(0, SHOWN_CHARACTERS);
  const shown = visibleText(beginning);
  const hidesSome = shown !== beginning.replaceAll('\r\n', '\n');
  return { whole, shown, isCut: beginning.length < whole.length, hidesSome };
}

/**
 * The end of an encrypted file's name. Browsers put a number before it where there was such a file already: " (1)", or "(1)"
 * in Firefox.
 */
const SEALED_END = /(?: ?\(\d{1,4}\))?\.(?:age|sjcl|json|asc|sealed(?:(?: ?\(\d{1,4}\))?\.txt)?)$/i;

/**
 * A name for saving opened contents: "letter.txt" for "letter.txt.sealed". If no extension is left,
 * the name gets "-opened" and `ending`.
 *
 * @param name the name of the encrypted file, '' if there is none
 * @param ending the extension to append
 */
export function plainName(name: string, ending: '.json' | '.txt' | '.bin'): string {
  const bare = name.replace(SEALED_END, '');
  if (bare !== name && /[^.]\.\w{1,8}$/.test(bare)) return bare;
  return `${bare === '' ? 'opened' : `${bare}-opened`}${ending}`;
}
