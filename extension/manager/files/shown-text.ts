import { utf8Text, visibleText } from '../../ui/text/plain-text.ts';

/** More than anyone reads on a page, and as much as one element shows without delay. */
const SHOWN_CHARACTERS = 100_000;

/** A text as it is, and as it is shown. */
export interface ShownText {
  readonly whole: string;
  readonly shown: string;
  /** Whether `shown` is only the beginning. */
  readonly isCut: boolean;
  /** Whether characters that hide or reorder text are shown as their codes. */
  readonly hidesSome: boolean;
}

/** @returns undefined for bytes that are no text */
export function shownText(bytes: Uint8Array): ShownText | undefined {
  const whole = utf8Text(bytes);
  if (whole === undefined) return undefined;
  const beginning = whole.slice(0, SHOWN_CHARACTERS);
  const shown = visibleText(beginning);
  const hidesSome = shown !== beginning.replaceAll('\r\n', '\n');
  return { whole, shown, isCut: beginning.length < whole.length, hidesSome };
}

/**
 * A name for what came out of a file: the file's own, without the ending that says it is encrypted,
 * where another is left that says what it is.
 *
 * @param ending for all others
 */
export function plainName(name: string, ending: '.json' | '.txt' | '.bin'): string {
  const bare = name.replace(/\.(?:age|sjcl|json|asc|sealed\.txt)$/i, '');
  if (bare !== name && /[^.]\.\w{1,8}$/.test(bare)) return bare;
  return `${bare === '' ? 'opened' : `${bare}-opened`}${ending}`;
}
