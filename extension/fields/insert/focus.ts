/**
 * Gives a field the focus. While another window is in front the browser tells nobody of it before the
 * person comes back; some editors take nothing until they hear of it, so they hear of it now.
 */
export function focusField(field: HTMLElement): void {
  field.focus({ preventScroll: true });
  if (field.ownerDocument.hasFocus()) return;
  field.dispatchEvent(new FocusEvent('focus', { composed: true }));
  field.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
}

/* Keys that command an editor. No text is ever written by them. */

/** Numbers that editors still go by (UI Events, "Legacy Key & Mouse Event Attributes"). */
const LEGACY = { a: { keyCode: 65 }, z: { keyCode: 90 }, ArrowRight: { keyCode: 39 } } as const;

export type Key = keyof typeof LEGACY;

export function pressKey(element: Element, key: Key, modifiers: KeyboardEventInit = {}): void {
  const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
  const common = { bubbles: true, cancelable: true, composed: true, ...modifiers };
  for (const type of ['keydown', 'keyup']) {
    element.dispatchEvent(new KeyboardEvent(type, { ...common, key, code, ...LEGACY[key] }));
  }
}

/** With Control, or Command on a Mac. */
export function pressWithCommand(element: Element, key: Key): void {
  const isMac = navigator.userAgent.includes('Macintosh');
  pressKey(element, key, isMac ? { metaKey: true } : { ctrlKey: true });
}
