/* Events of the clipboard, made by us. The clipboard itself is not touched. */
import { madeClipboardEvent } from './made-clipboard-event.ts';

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
