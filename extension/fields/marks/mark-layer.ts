import { MARKS_HOST } from '../find/page-text.ts';
import type { FoundAt, FoundText } from '../find/find-sealed.ts';
import { isTextControl } from '../text-control.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';

/** In CSS pixels, as all lengths here. */
const SIZE = 18;
/** Beside a last line of one or two characters a mark is smaller, and stands out of it by no more than this. */
const OUTSIDE_MAX = 4;
const SIZE_MIN = 10;
/** More characters than a mark is wide. */
const LINE_CHARACTERS = 20;
/** The same delay as in extension windows before a click counts (extension/ui/hooks/arming.ts). */
const STANDING_MS = 500;

/**
 * Set through CSSOM, which content security policies allow. `all` resets rules of the page. As wide as the window, and
 * clipped there: a mark that stands out, as all do for a moment when a window becomes narrow, makes no page scroll.
 */
const HOST_STYLE =
  'all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important; ' +
  'width: 100% !important; height: 0 !important; overflow-x: clip !important; ' +
  'z-index: 2147483647 !important;';
const MARK_STYLE =
  `all: initial; position: absolute; left: 0; top: 0; width: ${SIZE}px; height: ${SIZE}px; ` +
  'transform-origin: 0 0; ' +
  'border-radius: 50%; background: #0b626d; box-shadow: 0 0 0 2px #fff; cursor: pointer; ' +
  'visibility: hidden;';
/** A closed padlock on a field of 24 units. */
const LOCK_PATH = 'M8 11V9a4 4 0 0 1 8 0v2h1v6H7v-6zm2 0h4V9a2 2 0 0 0-4 0z';

/** Dependencies of a mark layer. */
export interface LayerDeps {
  readonly document: Document;
  /** Accessible name and tooltip of a mark. */
  readonly label: string;
  /** Called when the user pressed a mark. */
  readonly onPress: (found: FoundText) => void;
}

/** Position of a mark in the window. */
interface Spot {
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

interface Marked {
  readonly found: FoundText;
  /** The element whose visibility is observed. The text may have been removed since. */
  readonly element: Element;
  /** Position on the layer, and since when (ms, monotonic); null if hidden. */
  standing: { readonly x: number; readonly y: number; readonly since: number } | null;
}

/**
 * Marks beside sealed texts, on a layer without height, so that the layout of the page does not change.
 * They are in a closed shadow tree, where scripts of the page cannot press them. A page can cover, hide
 * or remove them. That is harmless, because a mark has no data and decides nothing.
 */
export class MarkLayer {
  readonly #deps: LayerDeps;
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #pattern: HTMLElement;
  readonly #marks = new Map<HTMLElement, Marked>();
  /** Observes which marked elements are scrolled into view. */
  readonly #inView: IntersectionObserver;
  readonly #hidden = new WeakSet<Element>();

  constructor(deps: LayerDeps) {
    this.#deps = deps;
    this.#host = htmlElement(deps.document, MARKS_HOST);
    this.#host.style.cssText = HOST_STYLE;
    this.#root = this.#host.attachShadow({ mode: 'closed' });
    this.#root.addEventListener('click', (event) => this.#press(event as MouseEvent));
    this.#pattern = pattern(deps.document, deps.label);
    this.#inView = new IntersectionObserver((entries) => this.#noteView(entries));
  }

  get count(): number {
    return this.#marks.size;
  }

  /** Shows a mark for each of these texts and removes others. Marks of the same text are reused. */
  show(found: readonly FoundText[]): void {
    const old = new Map<Node, HTMLElement[]>();
    for (const [mark, { found: text }] of this.#marks) {
      old.set(text.at.node, [...(old.get(text.at.node) ?? []), mark]);
    }
    const standing = new Map([...this.#marks].map(([mark, marked]) => [mark, marked.standing]));
    this.#marks.clear();
    this.#inView.disconnect();
    for (const text of found) {
      const mark = old.get(text.at.node)?.shift() ?? this.#made();
      const element = elementOf(text.at);
      this.#marks.set(mark, { found: text, element, standing: standing.get(mark) ?? null });
      this.#inView.observe(element);
    }
    for (const mark of [...old.values()].flat()) mark.remove();
    if (this.#marks.size > 0 && !this.#host.isConnected) this.#attach();
    this.place();
  }

  /** Reads all positions before it writes any, so that the browser computes one layout. */
  place(): void {
    const spots = [...this.#marks].map(([mark, marked]) => {
      const { element, found } = marked;
      return [mark, marked, this.#hidden.has(element) ? null : spotOf(found.at)] as const;
    });
    const shown = spots.flatMap(([, , spot]) => spot ?? []);
    const { left, top } = this.#spread(shown);
    for (const [mark, marked, spot] of spots) {
      const at = spot && { x: spot.left - left, y: spot.top - top, scale: spot.size / SIZE };
      if (at && isAt(marked, at)) continue;
      marked.standing = at && { ...at, since: performance.now() };
      mark.style.visibility = at ? 'visible' : 'hidden';
      // A hidden one counts for how far the page scrolls, too: it goes to the layer's corner.
      mark.style.transform = at ? `translate(${at.x}px, ${at.y}px) scale(${at.scale})` : 'none';
    }
  }

  remove(): void {
    this.#inView.disconnect();
    this.#marks.clear();
    this.#host.remove();
  }

  /**
   * Makes the layer as wide as a page that scrolls sideways by itself, where that shows more marks.
   *
   * @returns its place in the window
   */
  #spread(spots: readonly Spot[]): DOMRect {
    if (this.#host.style.width !== '100%') this.#setSpan('0', '100%');
    const place = this.#host.getBoundingClientRect();
    const before = spots.some(({ left }) => left < place.left);
    if (!before && spots.every(({ left, size }) => left + size <= place.right)) return place;
    const { scrollWidth, clientWidth } = this.#host.parentElement ?? this.#host;
    if (scrollWidth <= clientWidth) return place;
    // Where texts run to the left, the page begins at negative positions.
    this.#setSpan(before ? `${clientWidth - scrollWidth}px` : '0', `${scrollWidth}px`);
    return this.#host.getBoundingClientRect();
  }

  #setSpan(left: string, width: string): void {
    this.#host.style.setProperty('left', left, 'important');
    this.#host.style.setProperty('width', width, 'important');
  }

  /**
   * Appends to the root element, because frameworks may replace the body's children. Elements of HTML are not
   * shown below the root of an SVG document.
   */
  #attach(): void {
    const { documentElement } = this.#deps.document as { documentElement: Element | null };
    if (documentElement?.namespaceURI === XHTML) documentElement.append(this.#host);
  }

  #made(): HTMLElement {
    const mark = this.#pattern.cloneNode(true) as HTMLElement;
    this.#root.append(mark);
    return mark;
  }

  /** Ignores presses on a mark that appeared or moved a moment ago: they were meant for the page. */
  #press(event: MouseEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const mark = (event.target as Element).closest('button');
    const { found, standing } = (mark && this.#marks.get(mark)) ?? {};
    if (!found || !standing || !event.isTrusted) return;
    if (event.timeStamp - standing.since >= STANDING_MS) this.#deps.onPress(found);
  }

  #noteView(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#hidden.delete(target);
      else this.#hidden.add(target);
    }
    this.place();
  }
}

/** In documents of XML too, where `createElement` makes elements of no namespace, without a style. */
const htmlElement = (document: Document, name: string): HTMLElement =>
  document.createElementNS(XHTML, name);

/** The element that marks are cloned from. */
function pattern(document: Document, label: string): HTMLElement {
  const mark = htmlElement(document, 'button');
  mark.setAttribute('type', 'button');
  mark.tabIndex = -1; // not in the page's tab order; a keyboard shortcut exists
  mark.title = label;
  mark.setAttribute('aria-label', label);
  mark.style.cssText = MARK_STYLE;
  mark.append(lockIcon(document));
  return mark;
}

function lockIcon(document: Document): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.style.cssText = 'display: block; fill: #fff;';
  path.setAttribute('d', LOCK_PATH);
  svg.append(path);
  return svg;
}

/** Within one pixel, because layouts round. */
function isAt({ standing }: Marked, { x, y }: { readonly x: number; readonly y: number }): boolean {
  return standing !== null && Math.abs(standing.x - x) < 1 && Math.abs(standing.y - y) < 1;
}

function elementOf({ node, offset }: FoundAt): Element {
  return offset === null ? node : parentOf(node);
}

/** The parent element of a text; the host for a text directly below a shadow root. */
function parentOf(text: Text): Element {
  const { parentElement, parentNode } = text;
  return parentElement ?? (parentNode as ShadowRoot).host;
}

/** The position at the end of the text's last character, or of the element; for a text control, at its corner. */
function spotOf({ node, offset }: FoundAt): Spot | null {
  const box = offset === null ? node.getBoundingClientRect() : endBox(node, offset);
  if (!box || box.width === 0 || box.height === 0) return null;
  if (offset === null && isTextControl(node)) return cornerOf(box);
  const { right, top, width, height } = box;
  const size = Math.min(SIZE, Math.max(SIZE_MIN, width + OUTSIDE_MAX));
  return { left: right - size, top: top + (Math.min(height, 2 * SIZE) - size) / 2, size };
}

/** Outside of a text control but for its border: inside, the mark would cover the end of the first line. */
function cornerOf({ right, top }: DOMRect): Spot {
  const { clientWidth } = document.documentElement;
  const left = Math.min(right - OUTSIDE_MAX, clientWidth - SIZE);
  return { left, top: Math.max(top + OUTSIDE_MAX - SIZE, -scrollY), size: SIZE };
}

/** Of the last characters, on the last line of the text. */
function endBox(node: Text, offset: number): DOMRect | undefined {
  const range = node.ownerDocument.createRange();
  const end = Math.min(offset, node.length);
  range.setStart(node, Math.max(0, end - LINE_CHARACTERS));
  range.setEnd(node, end);
  return [...range.getClientRects()].at(-1);
}
