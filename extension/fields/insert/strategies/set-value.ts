import { isTextControl, type TextControl } from '../../text-control.ts';
import type { InsertStrategy } from '../field.ts';

/**
 * Sets the whole value and dispatches the events of a change. The focus does not move. The isolated
 * world has the browser's own setter, also if a framework replaced it in the page's world.
 */
export function setValue(control: TextControl, text: string): void {
  control.value = text;
  dispatchChange(control, text);
}

/** Dispatches the events of a field that a script or the browser changed. */
export function dispatchChange(control: TextControl, data: string): void {
  dispatchInput(control, data);
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The event of a field that is being changed. */
export function dispatchInput(control: TextControl, data: string): void {
  const inputType = 'insertReplacementText';
  control.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data }));
}

/** Replaces the selection by script. The browser's undo does not include it. */
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
