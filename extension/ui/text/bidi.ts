/*
 * Two directions of writing in one line: Unicode Standard Annex #9, section 2.4.
 */
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** Languages written from right to left; all others of ours are written from left to right. */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** @param language - BCP 47 tag, "ar" or "zh-CN" */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language.split('-')[0]!) ? 'rtl' : 'ltr';
}

/** Words in the direction of their own first letter, which leave those around them in their place. */
export function isolated(words: string): string {
  return FIRST_STRONG_ISOLATE + words + POP_DIRECTIONAL_ISOLATE;
}

/** The same for what always runs from left to right, such as "64 KiB". */
export function isolatedLeftToRight(words: string): string {
  return LEFT_TO_RIGHT_ISOLATE + words + POP_DIRECTIONAL_ISOLATE;
}
