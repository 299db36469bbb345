import { pasteEvent } from '../clipboard-event.ts';
import type { Way } from '../field.ts';

/**
 * What the page hears when a person pastes. Editors put the text into their model themselves, whole
 * and as one step of their undo; where nobody listens nothing happens. The clipboard is not touched.
 */
export const paste: Way = pasteBesides({});

/** @param others what lies beside the text, type by type */
export function pasteBesides(others: Readonly<Record<string, string>>): Way {
  return (element, text) => {
    const event = pasteEvent(element, { 'text/plain': text, ...others });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
}
