import { charCodeAt } from './primordials.ts';

/** Longer names are not compared. */
const LONGEST = 32;

/**
 * "; did you mean context" for a misspelt name, else nothing: for the end of an error's message. Up to
 * four letters, one may be wrong, missing or too many; beyond that two. Upper and lower case are the same.
 */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > LONGEST) return '';
  let nearest: string | undefined;
  let least = name.length > 4 ? 3 : 2;
  for (let i = 0; i < known.length; i++) {
    const edits = editsBetween(name, known[i]!);
    if (edits >= least) continue;
    least = edits;
    nearest = known[i];
  }
  return nearest === undefined ? '' : `; did you mean ${nearest}`;
}

/** The Levenshtein distance, by one row of its table. */
function editsBetween(a: string, b: string): number {
  const row: number[] = [];
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0]!;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = lowerCase(charCodeAt(a, i - 1)) === lowerCase(charCodeAt(b, j - 1));
      const changed = diagonal + (isSame ? 0 : 1);
      diagonal = row[j]!;
      row[j] = least(changed, least(row[j]!, row[j - 1]!) + 1);
    }
  }
  return row[b.length]!;
}

function least(a: number, b: number): number {
  return a < b ? a : b;
}

/** Of an ASCII letter. */
export function lowerCase(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}
