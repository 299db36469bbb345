/*
 * Events of the clipboard, made by us. Firefox gives a page only data that a page put there, and its
 * ClipboardEvent takes no DataTransfer: the event is made with the page's own classes, in its world.
 * What passes is the text that the page is to have, nothing else.
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

interface PageWindow extends Window {
  readonly ClipboardEvent: typeof ClipboardEvent;
}

/** What Firefox gives content scripts beyond the standard (MDN, "Share objects with page scripts"). */
interface FirefoxWindow {
  readonly wrappedJSObject: PageWindow;
}
declare function cloneInto<Value>(value: Value, target: object): Value;

function clipboardEvent({ ownerDocument }: Element, type: string): ClipboardEvent {
  const page = (ownerDocument.defaultView as unknown as FirefoxWindow).wrappedJSObject;
  const options = { bubbles: true, cancelable: true, composed: true };
  return new page.ClipboardEvent(type, cloneInto(options, page));
}
