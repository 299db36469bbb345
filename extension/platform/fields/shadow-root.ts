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
 * An element's shadow root, also a closed one. Browsers expose closed roots to extensions only: Chromium
 * in `chrome.dom`, Firefox in a property of the element.
 */
export function shadowRootOf(element: Element): ShadowRoot | undefined {
  const { openOrClosedShadowRoot } = element as WithOpenOrClosed;
  if (openOrClosedShadowRoot !== undefined) return openOrClosedShadowRoot ?? undefined;
  if (element.namespaceURI !== HTML) return undefined; // Chromium throws for others
  return rootByChromeDom(element) ?? element.shadowRoot ?? undefined;
}

/** In a script whose extension has ended, `chrome.dom` throws. */
function rootByChromeDom(element: Element): ShadowRoot | null | undefined {
  try {
    return (globalThis as WithChromeDom).chrome?.dom?.openOrClosedShadowRoot?.(element);
  } catch {
    return undefined;
  }
}

/**
 * Elements whose shadow root is looked up. A lookup costs 2 µs. Headings, paragraphs and spans are left
 * out: pages have thousands of them, and frameworks attach no shadow root to them (DOM, "valid shadow
 * host name", has the full list).
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

/** The deepest nesting of shadow trees that is searched. */
export const MAX_DEPTH = 64;

/** The element that contains an editor (extension/fields/editor), which is no part of the page. */
export const EDITOR_HOST = 'sealwright-editor';

/** Whether a window is the frame of an editor: no script of the extension serves it. */
export function isEditorFrame({ frameElement }: Window): boolean {
  const root = frameElement?.getRootNode();
  return root !== undefined && 'host' in root && (root.host as Element).localName === EDITOR_HOST;
}

/** Whether an element may have a shadow root. Names with a hyphen are custom elements. */
export const mayHost = ({ localName }: Element): boolean =>
  HOSTS.has(localName) || (localName.includes('-') && localName !== EDITOR_HOST);
