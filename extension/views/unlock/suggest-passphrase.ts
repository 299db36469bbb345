/** Six words of a list of 7,776 are 77 bits: EFF's advice for what must last (eff.org/dice). */
const WORDS = 6;

/**
 * A passphrase of random words, joined by hyphens.
 *
 * @param words - at most 65,536 of them
 * @param random - fills what it is given, as `crypto.getRandomValues`
 */
export function suggestPassphrase(
  words: readonly string[],
  random: (target: Uint16Array<ArrayBuffer>) => void,
): string {
  return Array.from({ length: WORDS }, () => words[randomBelow(words.length, random)]!).join('-');
}

/** Uniform: values of the last, incomplete run of `limit` are drawn again. */
function randomBelow(limit: number, random: (target: Uint16Array<ArrayBuffer>) => void): number {
  if (limit < 1 || limit > 0x10000) throw new RangeError(`words: ${limit}, not 1 to 65,536`);
  const accepted = 0x10000 - (0x10000 % limit);
  const draw = new Uint16Array(1);
  do random(draw);
  while (draw[0]! >= accepted);
  return draw[0]! % limit;
}
