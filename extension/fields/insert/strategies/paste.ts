import type { InsertStrategy } from '../field.ts';
import { createClipboardEvent } from '../made-clipboard-event.ts';

/**
 * What the page hears when a person pastes. Editors put the text into their model themselves, whole
 * and as one step of their undo; where nobody listens nothing happens. The clipboard is not touched.
 */
export const paste: InsertStrategy = pasteWith({});

/** @param others what lies beside the text, type by type */
export function pasteWith(others: Readonly<Record<string, string>>): InsertStrategy {
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
  const event = createClipboardEvent(element, 'paste');
  for (const [type, text] of Object.entries(contents)) event.clipboardData?.setData(type, text);
  return event;
}

/** An editor that hears it puts what is selected into its `clipboardData`. */
export function copyEvent(element: Element): ClipboardEvent {
  return createClipboardEvent(element, 'copy');
}
