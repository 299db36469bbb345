import { isTextControl, type TextControl } from '../../text-control.ts';
import type { InsertStrategy } from '../field.ts';

/**
 * Sets the whole value and tells the page of it, as scripts do; the focus stays where it is. This
 * script's world has the browser's own setter, whatever a framework put in its place in the page's.
 */
export function setValue(control: TextControl, text: string): void {
  control.value = text;
  dispatchChange(control, text);
}

/** What the page hears when a script, or the browser itself, has changed a field. */
export function dispatchChange(control: TextControl, data: string): void {
  const inputType = 'insertReplacementText';
  control.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Replaces what is selected, as scripts do. The browser's undo does not know it. */
export const setRange: InsertStrategy = (element, text) => {
  if (!isTextControl(element)) return false;
  const { selectionStart, selectionEnd } = element;
  if (selectionStart === null || selectionEnd === null) {
    setValue(element, text);
    return true;
  }
  element.setRangeText(text, selectionStart, selectionEnd, 'end');
  dispatchChange(element, text);
  return true;
};
