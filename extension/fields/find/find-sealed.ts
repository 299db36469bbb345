import { isProtected } from '../policy.ts';
import { pageText, type TextPlace } from './page-text.ts';
import { sealedRuns, type SealedRun } from './sealed-runs.ts';

/** Where sealed text ends: after a character of a text node, or in an element's value or address. */
export type FoundAt =
  | { readonly node: Text; readonly offset: number }
  | { readonly node: Element; readonly offset: null };

/** Sealed text of a page, and where a mark for it belongs. */
export interface FoundText {
  readonly pieces: readonly string[];
  readonly at: FoundAt;
}

/** More than this, of a page, is a page that makes work. */
export const FOUND_MAX = 200;

/** What a walk through a page came to. */
export interface FoundTexts {
  readonly found: readonly FoundText[];
  /** The shadow roots on the way, whose changes no observer of the page hears of. */
  readonly shadows: readonly ShadowRoot[];
}

/** Sealed texts below a root: in its text, in what its fields hold, and in addresses of links. */
export function findSealed(root: Node): FoundTexts {
  const { text, places, holders, shadows } = pageText(root);
  const inText = sealedRuns(text).map((run) => ({ pieces: run.pieces, at: endOf(run, places) }));
  const seen = new Set(inText.map(({ pieces }) => pieces.join('')));
  const held = holders.flatMap((node) =>
    sealedIn(heldBy(node)).map((pieces) => ({ pieces, at: { node, offset: null } })),
  );
  // A link that shows its address holds the same text twice.
  const others = held.filter(({ pieces }) => !seen.has(pieces.join('')));
  return { found: [...inText, ...others].slice(0, FOUND_MAX), shadows };
}

export function sealedIn(text: string): (readonly string[])[] {
  return sealedRuns(text).map(({ pieces }) => pieces);
}

/** Values are read as they stand; asking an editor for its text would move the focus into it. */
function heldBy(element: Element): string {
  if (element.localName === 'a') return element.getAttribute('href') ?? '';
  return isProtected(element) ? '' : (element as HTMLInputElement).value;
}

/** The last node that begins before the run ends, by halving. */
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
