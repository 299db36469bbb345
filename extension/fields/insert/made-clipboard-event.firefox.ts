interface PageWindow extends Window {
  readonly ClipboardEvent: typeof ClipboardEvent;
}

/** What Firefox gives content scripts beyond the standard (MDN, "Share objects with page scripts"). */
interface FirefoxWindow {
  readonly wrappedJSObject: PageWindow;
}
declare function cloneInto<Value>(value: Value, target: object): Value;

/**
 * Firefox gives a page only data that a page put there, and its ClipboardEvent takes no DataTransfer:
 * the event is made with the page's own classes, in its world. What passes is the text that the page is
 * to have, nothing else.
 */
export function createClipboardEvent(
  { ownerDocument }: Element,
  type: 'paste' | 'copy',
): ClipboardEvent {
  const page = (ownerDocument.defaultView as unknown as FirefoxWindow).wrappedJSObject;
  const options = { bubbles: true, cancelable: true, composed: true };
  return new page.ClipboardEvent(type, cloneInto(options, page));
}
