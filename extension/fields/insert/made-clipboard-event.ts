/**
 * Creates a clipboard event with empty data, of the classes of the element's frame. Firefox needs another
 * way: made-clipboard-event.firefox.ts.
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
