import { shadowRootOf } from '../shadow-root.ts';
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
