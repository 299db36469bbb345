import { shadowRootOf } from '../../platform/fields/shadow-root.ts';
import { fieldOf } from './field-of.ts';

/**
 * The field that has the focus, in this document, its shadow trees, open or closed, and its frames of
 * the same origin. A click with the secondary button focuses what is under it, so this is the field
 * that a menu was opened on too.
 */
export function fieldAt(document: Document): Element | undefined {
  const focused = focusedIn(document);
  return focused && fieldOf(focused)?.element;
}

/**
 * The origin of the frame that has the focus, where this script is not let in. Its element names it, and
 * may name another than is shown there: then whoever is let into that one finds no field in it.
 */
export function frameBeyond(document: Document): string | null {
  const focused = focusedIn(document);
  if (!focused || !isFrame(focused) || focused.contentDocument) return null;
  const address = URL.canParse(focused.src) ? new URL(focused.src) : undefined;
  return address && /^https?:$/.test(address.protocol) ? address.origin : null;
}

function focusedIn(root: Document | ShadowRoot): Element | undefined {
  const { activeElement } = root;
  if (!activeElement) return undefined;
  const inner = frameDocument(activeElement) ?? shadowRootOf(activeElement);
  return (inner && focusedIn(inner)) ?? activeElement;
}

/** Undefined for frames of other origins, as the browser has it. */
function frameDocument(element: Element): Document | undefined {
  return isFrame(element) ? (element.contentDocument ?? undefined) : undefined;
}

function isFrame(element: Element): element is HTMLIFrameElement {
  return element.localName === 'iframe' || element.localName === 'frame';
}
