import type { Way } from '../field.ts';
import { madeClipboardEvent } from '../made-clipboard-event.ts';

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

/* Events of the clipboard, made by us. The clipboard itself is not touched. */

/** @param contents type by type */
export function pasteEvent(
  element: Element,
  contents: Readonly<Record<string, string>>,
): ClipboardEvent {
  const event = madeClipboardEvent(element, 'paste');
  for (const [type, text] of Object.entries(contents)) event.clipboardData?.setData(type, text);
  return event;
}

/** An editor that hears it puts what is selected into its `clipboardData`. */
export function copyEvent(element: Element): ClipboardEvent {
  return madeClipboardEvent(element, 'copy');
}
