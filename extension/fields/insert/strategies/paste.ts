import type { InsertStrategy } from '../field.ts';
import { createClipboardEvent } from '../made-clipboard-event.ts';

/**
 * Dispatches a paste event. Editors insert the text into their model as one undo step. Without a
 * listener nothing happens. The clipboard is not used.
 */
export const paste: InsertStrategy = pasteWith({});

/** Pastes a text with further data. @param others data by type */
export function pasteWith(others: Readonly<Record<string, string>>): InsertStrategy {
  return (element, text) => {
    const event = pasteEvent(element, { 'text/plain': text, ...others });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
}

/** A paste event. The clipboard is not used. @param contents data by type */
export function pasteEvent(
  element: Element,
  contents: Readonly<Record<string, string>>,
): ClipboardEvent {
  const event = createClipboardEvent(element, 'paste');
  for (const [type, text] of Object.entries(contents)) event.clipboardData?.setData(type, text);
  return event;
}

/** A copy event. An editor that handles it writes its selection into `clipboardData`. */
export function copyEvent(element: Element): ClipboardEvent {
  return createClipboardEvent(element, 'copy');
}
