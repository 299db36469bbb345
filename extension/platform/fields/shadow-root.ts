const HTML = 'http://www.w3.org/1999/xhtml';

interface WithChromeDom {
  readonly chrome?: {
    readonly dom?: { openOrClosedShadowRoot?(element: Element): ShadowRoot | null };
  };
}
interface WithOpenOrClosed {
  readonly openOrClosedShadowRoot?: ShadowRoot | null;
}

/**
 * An element's shadow root, also a closed one, which browsers show to extensions alone: by
 * `chrome.dom` in Chromium, by a property of the element in Firefox.
 */
export function shadowRootOf(element: Element): ShadowRoot | undefined {
  const { openOrClosedShadowRoot } = element as WithOpenOrClosed;
  if (openOrClosedShadowRoot !== undefined) return openOrClosedShadowRoot ?? undefined;
  if (element.namespaceURI !== HTML) return undefined; // Chromium throws for others
  const { dom } = (globalThis as WithChromeDom).chrome ?? {};
  return dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot ?? undefined;
}

/**
 * Asking for a shadow root costs 2 µs: not asked are headings, paragraphs and spans, of which pages have
 * thousands, and which no framework gives one (DOM, "valid shadow host name", has them all).
 */
const HOSTS: ReadonlySet<string> = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'header',
  'main',
  'nav',
  'section',
]);

/** Shadow trees within shadow trees; a page that goes deeper hides its text from itself. */
export const MAX_DEPTH = 64;

/** Names with a hyphen are those of custom elements. */
export const mayHost = ({ localName }: Element): boolean =>
  HOSTS.has(localName) || localName.includes('-');
