import { EDITOR_HOST, shadowRootOf } from '../../platform/fields/shadow-root.ts';
import type { TextControl } from '../text-control.ts';

/** The element of an editor, with the field in whose place it is. Only the isolated world has this property. */
export interface EditorHost extends HTMLElement {
  sealwrightField?: TextControl;
}

/**
 * The element that has the focus in a document, its shadow trees (open and closed) and its frames of
 * the same origin. Where an editor has the focus, its field (extension/fields/editor).
 */
export function focusedIn(root: Document | ShadowRoot): Element | undefined {
  const { activeElement } = root;
  if (!activeElement) return undefined;
  const field = fieldBehind(activeElement);
  if (field) return field;
  const inner = frameDocument(activeElement) ?? shadowRootOf(activeElement);
  return (inner && focusedIn(inner)) ?? activeElement;
}

/**
 * The origin of the focused frame, if this script has no access to it; else null. The origin is that
 * of the element's `src`. The frame may have navigated since: then a script that is injected for that
 * origin finds no field.
 */
export function unreachableOrigin(document: Document): string | null {
  const focused = focusedIn(document);
  if (!focused || !isFrame(focused) || focused.contentDocument) return null;
  const address = URL.canParse(focused.src) ? new URL(focused.src) : undefined;
  return address && /^https?:$/.test(address.protocol) ? address.origin : null;
}

/** Undefined for frames of other origins: browsers do not give access to their documents. */
function frameDocument(element: Element): Document | undefined {
  return isFrame(element) ? (element.contentDocument ?? undefined) : undefined;
}

function isFrame(element: Element): element is HTMLIFrameElement {
  return element.localName === 'iframe' || element.localName === 'frame';
}

/** The field that a focused editor stands for; undefined for other elements. */
const fieldBehind = (element: Element): TextControl | undefined =>
  element.localName === EDITOR_HOST ? (element as EditorHost).sealwrightField : undefined;
