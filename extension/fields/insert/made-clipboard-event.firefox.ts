interface PageWindow extends Window {
  readonly ClipboardEvent: typeof ClipboardEvent;
}

/** A property that Firefox adds for content scripts (MDN, "Share objects with page scripts"). */
interface FirefoxWindow {
  readonly wrappedJSObject: PageWindow;
}
declare function cloneInto<Value>(value: Value, target: object): Value;

/**
 * Creates a clipboard event with the classes of the page, in the page's world. Firefox shows a page only
 * data that the page itself set, and its ClipboardEvent accepts no DataTransfer. The event contains
 * only the text for the page.
 */
export function createClipboardEvent(
  { ownerDocument }: Element,
  type: 'paste' | 'copy',
): ClipboardEvent {
  const page = (ownerDocument.defaultView as unknown as FirefoxWindow).wrappedJSObject;
  const options = { bubbles: true, cancelable: true, composed: true };
  return new page.ClipboardEvent(type, cloneInto(options, page));
}
