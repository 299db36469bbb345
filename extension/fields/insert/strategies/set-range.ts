import type { Way } from '../field.ts';
import { isTextControl } from '../text-control.ts';
import { setValue, tellChange } from './set-value.ts';

/** Replaces what is selected, as scripts do. The browser's undo does not know it. */
export const setRange: Way = (element, text) => {
  if (!isTextControl(element)) return false;
  const { selectionStart, selectionEnd } = element;
  if (selectionStart === null || selectionEnd === null) {
    setValue(element, text);
    return true;
  }
  element.setRangeText(text, selectionStart, selectionEnd, 'end');
  tellChange(element, text);
  return true;
};
