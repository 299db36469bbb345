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
 * An element's shadow root, also a closed one. Browsers give closed ones to extensions alone: Chromium
 * by `chrome.dom`, Firefox by a property of the element.
 */
export function shadowRootOf(element: Element): ShadowRoot | undefined {
  const { openOrClosedShadowRoot } = element as WithOpenOrClosed;
  if (openOrClosedShadowRoot !== undefined) return openOrClosedShadowRoot ?? undefined;
  if (element.namespaceURI !== HTML) return undefined; // Chromium throws for others
  const { dom } = (globalThis as WithChromeDom).chrome ?? {};
  return dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot ?? undefined;
}

/**
 * Reading a shadow root costs 2 µs. It is not read of headings, paragraphs and spans: pages have
 * thousands of them, and no framework gives them one (DOM, "valid shadow host name", lists all).
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

/** Levels of nested shadow trees that are searched. */
export const MAX_DEPTH = 64;

/** Whether an element may have a shadow root. Names with a hyphen are those of custom elements. */
export const mayHost = ({ localName }: Element): boolean =>
  HOSTS.has(localName) || localName.includes('-');
