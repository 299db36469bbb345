import type { Way } from '../field.ts';
import { isTextControl } from '../text-control.ts';

/**
 * Sets the value and tells the page of it, as scripts do. This script's world has the browser's own
 * setter, whatever a framework put in its place in the page's. The browser's undo does not know it.
 */
export const setRange: Way = (element, text) => {
  if (!isTextControl(element)) return false;
  const { selectionStart, selectionEnd } = element;
  if (selectionStart === null || selectionEnd === null) element.value = text;
  else element.setRangeText(text, selectionStart, selectionEnd, 'end');
  const inputType = 'insertReplacementText';
  element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data: text }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
};
