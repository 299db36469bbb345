/*
 * Events of the clipboard, made by us with the classes of the element's own frame. The clipboard itself
 * is not touched. Firefox wants them made otherwise: clipboard-event.firefox.ts.
 */

/** @param contents type by type */
export function pasteEvent(
  element: Element,
  contents: Readonly<Record<string, string>>,
): ClipboardEvent {
  const event = clipboardEvent(element, 'paste');
  for (const [type, text] of Object.entries(contents)) event.clipboardData?.setData(type, text);
  return event;
}

/** An editor that hears it puts what is selected into its `clipboardData`. */
export function copyEvent(element: Element): ClipboardEvent {
  return clipboardEvent(element, 'copy');
}

function clipboardEvent({ ownerDocument }: Element, type: string): ClipboardEvent {
  const { ClipboardEvent, DataTransfer } = ownerDocument.defaultView!;
  const clipboardData = new DataTransfer();
  const options = { bubbles: true, cancelable: true, composed: true, clipboardData };
  return new ClipboardEvent(type, options);
}
