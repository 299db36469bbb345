import { shadowRootOf } from '../shadow-root.ts';

/** What `input` types take text of any kind (HTML, "The input element"). */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'search', 'url', 'email', 'tel']);

/**
 * The field that has the focus, in this document, its shadow trees, open or closed, and its frames of
 * the same origin. A click with the secondary button focuses what is under it, so this is the field
 * that a menu was opened on too.
 */
export function fieldAt(document: Document): Element | undefined {
  const focused = focusedIn(document);
  return focused && editableAt(focused);
}

function focusedIn(root: Document | ShadowRoot): Element | undefined {
  const { activeElement } = root;
  if (!activeElement) return undefined;
  const inner = frameDocument(activeElement) ?? shadowRootOf(activeElement);
  return (inner && focusedIn(inner)) ?? activeElement;
}

/** Undefined for frames of other origins, as the browser has it. */
function frameDocument(element: Element): Document | undefined {
  if (element.localName !== 'iframe' && element.localName !== 'frame') return undefined;
  return (element as HTMLIFrameElement).contentDocument ?? undefined;
}

function editableAt(element: Element): Element | undefined {
  if (element.localName === 'textarea') return element;
  if (element.localName === 'input') {
    const { type } = element as HTMLInputElement;
    return TEXT_TYPES.has(type) || type === 'password' ? element : undefined;
  }
  return editingHost(element);
}

/** The outermost element of what is edited together: that one, and no part of it, is the field. */
function editingHost(element: Element): Element | undefined {
  if (!('isContentEditable' in element) || !element.isContentEditable) return undefined;
  let host = element as HTMLElement;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}
