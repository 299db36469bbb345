/**
 * With data of its own, empty as yet; of the classes of the element's own frame. Firefox wants it made
 * otherwise: made-clipboard-event.firefox.ts.
 */
export function createClipboardEvent(
  { ownerDocument }: Element,
  type: 'paste' | 'copy',
): ClipboardEvent {
  const { ClipboardEvent, DataTransfer } = ownerDocument.defaultView!;
  const clipboardData = new DataTransfer();
  const options = { bubbles: true, cancelable: true, composed: true, clipboardData };
  return new ClipboardEvent(type, options);
}
