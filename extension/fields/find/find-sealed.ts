import { isProtected } from '../policy.ts';
import { pageText, type TextPlace } from './page-text.ts';
import { isInline, signOf, type NodeBorder } from './gaps.ts';
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
  const borderAt = (offset: number) => borderOf(offset, places);
  const inText = sealedRuns(text, borderAt).map((run) => {
    const { start, pieces } = run;
    return { start, pieces, at: endOf(run, places) };
  });
  const held = holders.flatMap(({ node, start }) =>
    sealedIn(heldBy(node)).map((pieces) => ({ start, pieces, at: { node, offset: null } })),
  );
  // A link that displays its address contains the same text twice.
  const seen = new Set(held.length > 0 ? inText.map(({ pieces }) => pieces.join('')) : []);
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

function endOf({ end }: SealedRun, places: readonly TextPlace[]): FoundAt {
  const { node, start } = places[placeBefore(end, places)]!;
  return { node, offset: end - start };
}

/** The index of the last node that begins before an offset, by binary search. */
function placeBefore(offset: number, places: readonly TextPlace[]): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (places[middle]!.start < offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What lies behind a text node at a line feed of the joined text; undefined at one of a node. */
function borderOf(offset: number, places: readonly TextPlace[]): NodeBorder | undefined {
  const place = placeBefore(offset + 1, places);
  const [before, after] = [places[place], places[place + 1]];
  if (!before || offset !== before.start + before.node.data.length) return undefined;
  return borderBetween(before.node, after?.node);
}

/** Elements between two texts of a line are few. */
const STEPS_MAX = 100;

/** Walks from one text to the next, over the borders of elements in between, or to the end of its tree. */
function borderBetween(before: Text, after: Text | undefined): NodeBorder {
  let [node, isBlock, left, entered]: [Node, boolean, string, string] = [before, false, '', ''];
  const leave = (element: Element): void => {
    left += signOf(element.localName);
    isBlock ||= !isInline(element.localName);
  };
  const enter = (element: Element): void => {
    const sign = element.firstChild ? signOf(element.localName) : '';
    // Where elements overlap in the source, parsers end the inner one before the outer one, and begin it anew.
    const isReopened = sign !== '' && left.slice(0, -1).includes(sign);
    if (isReopened) left = left.replace(sign, '');
    else entered += sign;
    isBlock ||= !isInline(element.localName);
  };
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const { firstChild } = node;
    if (firstChild) node = firstChild;
    while (!firstChild && !node.nextSibling) {
      if (!node.parentElement) return { isBlock: true, signs: left + entered };
      node = node.parentElement;
      leave(node as Element);
    }
    if (!firstChild) node = node.nextSibling!;
    if (node === after) return { isBlock, signs: left + entered };
    if (node.nodeType === ELEMENT_NODE) enter(node as Element);
  }
  return { isBlock: true, signs: '' }; // far from each other
}

const ELEMENT_NODE = 1;
