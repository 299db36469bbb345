import { isProtected } from '../policy.ts';
import { pageText, type TextPlace } from './page-text.ts';
import { sealedRuns, type SealedRun } from './sealed-runs.ts';

/** The end of a sealed text: a position in a text node, or an element's value or address. */
export type FoundAt =
  | { readonly node: Text; readonly offset: number }
  | { readonly node: Element; readonly offset: null };

/** A sealed text of a page, and the position for its mark. */
export interface FoundText {
  readonly pieces: readonly string[];
  readonly at: FoundAt;
}

/** The most sealed texts of one page, to limit work. */
export const FOUND_MAX = 200;

/** The result of a search in a page. */
export interface FoundTexts {
  readonly found: readonly FoundText[];
  /** All shadow roots: observers of the document do not see changes in them. */
  readonly shadows: readonly ShadowRoot[];
}

/**
 * Finds sealed texts below a root, in the order of the page: in text, in values of fields, and in
 * addresses of links.
 */
export function findSealed(root: Node): FoundTexts {
  const { text, places, holders, shadows } = pageText(root);
  const inText = sealedRuns(text).map((run) => {
    const { start, pieces } = run;
    return { start, pieces, at: endOf(run, places) };
  });
  const seen = new Set(inText.map(({ pieces }) => pieces.join('')));
  const held = holders.flatMap(({ node, start }) =>
    sealedIn(heldBy(node)).map((pieces) => ({ start, pieces, at: { node, offset: null } })),
  );
  // A link that displays its address contains the same text twice.
  const others = held.filter(({ pieces }) => !seen.has(pieces.join('')));
  const all = [...inText, ...others].sort((one, other) => one.start - other.start);
  const found = all.slice(0, FOUND_MAX).map(({ pieces, at }) => ({ pieces, at }));
  return { found, shadows };
}

/** The pieces of each sealed text in a text. */
export function sealedIn(text: string): (readonly string[])[] {
  return sealedRuns(text).map(({ pieces }) => pieces);
}

/** Reads values of controls only: reading an editor's text would focus it. */
function heldBy(element: Element): string {
  if (element.localName === 'a') return element.getAttribute('href') ?? '';
  return isProtected(element) ? '' : (element as HTMLInputElement).value;
}

/** Finds the last node that begins before the end of the run, by binary search. */
function endOf({ end }: SealedRun, places: readonly TextPlace[]): FoundAt {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (places[middle]!.start < end) low = middle;
    else high = middle - 1;
  }
  const { node, start } = places[low]!;
  return { node, offset: end - start };
}
