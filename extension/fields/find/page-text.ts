import { MAX_DEPTH, mayHost, shadowRootOf } from '../../platform/fields/shadow-root.ts';
import { isTextControl, type TextControl } from '../text-control.ts';

/** A text node, and the offset of its text in the joined text. */
export interface TextPlace {
  readonly node: Text;
  readonly start: number;
}

/** All text below a root in document order, with a line feed behind each node. */
export interface PageText {
  readonly text: string;
  readonly places: readonly TextPlace[];
  /** Elements that contain text in a value or in an address, and the offset of the text after them. */
  readonly holders: readonly { readonly node: Element; readonly start: number }[];
  readonly shadows: readonly ShadowRoot[];
}

/** The element that contains the marks (extension/fields/marks). */
export const MARKS_HOST = 'sealwright-marks';

/** Elements without visible text. Of a textarea the value is read, because its text is the initial value. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'iframe', 'object', 'svg', 'textarea', MARKS_HOST],
]);
const HOLDERS: ReadonlySet<string> = new Set(['a', 'input', 'textarea']);

/** Collects the text below a root and in its shadow trees, open or closed. */
export function pageText(root: Node): PageText {
  const collected: Collected = { parts: [], places: [], holders: [], shadows: [], end: 0 };
  collect(root, collected, 0);
  const { parts, ...rest } = collected;
  return { ...rest, text: [...parts, ''].join('\n') };
}

interface Collected {
  readonly parts: string[];
  readonly places: TextPlace[];
  readonly holders: { readonly node: Element; readonly start: number }[];
  readonly shadows: ShadowRoot[];
  /** Offset of the next part. */
  end: number;
}

/** Iterative, because pages can be nested deeper than the stack, and without a slow node filter. */
function collect(root: Node, to: Collected, depth: number): void {
  const document = root.ownerDocument ?? (root as Document);
  const walker = document.createTreeWalker(root, SHOWN);
  let node = walker.nextNode();
  while (node) {
    if (node.nodeType === TEXT_NODE) addText(node as Text, to);
    else addElement(node as Element, to, depth);
    const isUnread = node.nodeType !== TEXT_NODE && SKIPPED.has((node as Element).localName);
    node = isUnread ? nextBeyond(walker) : walker.nextNode();
  }
}

const TEXT_NODE = 3;
/** NodeFilter.SHOW_ELEMENT and SHOW_TEXT. */
const SHOWN = 1 | 4;

/** The next node that is not a descendant of the current one. */
function nextBeyond(walker: TreeWalker): Node | null {
  for (;;) {
    const next = walker.nextSibling();
    if (next || !walker.parentNode()) return next;
  }
}

function addText(node: Text, to: Collected): void {
  const { data } = node;
  if (data === '') return;
  to.places.push({ node, start: to.end });
  to.parts.push(data);
  to.end += data.length + 1;
}

function addElement(element: Element, to: Collected, depth: number): void {
  if (HOLDERS.has(element.localName)) {
    to.holders.push({ node: element, start: to.end });
  }
  const shadow = depth < MAX_DEPTH && mayHost(element) ? shadowRootOf(element) : undefined;
  if (!shadow) return;
  to.shadows.push(shadow);
  collect(shadow, to, depth + 1);
}

/**
 * The text controls of a document and its shadow trees, open or closed. It visits nothing else, because
 * on guarded sites every click waits for it.
 */
export function textControls(root: Document | ShadowRoot, depth = 0): TextControl[] {
  const own = [...root.querySelectorAll('input, textarea')].filter(isTextControl);
  if (depth === MAX_DEPTH) return own;
  return [...own, ...shadowsIn(root).flatMap((shadow) => textControls(shadow, depth + 1))];
}

function shadowsIn(root: Document | ShadowRoot): ShadowRoot[] {
  const hosts = [...root.querySelectorAll('*')].filter(mayHost);
  return hosts.map(shadowRootOf).filter((shadow) => shadow !== undefined);
}
