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
