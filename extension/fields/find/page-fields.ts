import { isTextControl, type TextControl } from '../insert/text-control.ts';
import { MAX_DEPTH, mayHost, shadowRootOf } from '../shadow-root.ts';

/**
 * The text controls of a document and of its shadow trees, open or closed. Nothing else of the page is
 * looked at: on guarded sites every press waits for this.
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
