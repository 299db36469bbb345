/**
 * Focuses a field. While another window is in front, browsers dispatch no focus events, but some
 * editors need them to accept text. They are dispatched here.
 */
export function focusField(field: HTMLElement): void {
  field.focus({ preventScroll: true });
  if (field.ownerDocument.hasFocus()) return;
  field.dispatchEvent(new FocusEvent('focus', { composed: true }));
  field.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
}

/* Keys that give commands to an editor. Text is never typed with them. */

/** Values of `keyCode`, which editors still read (UI Events, "Legacy Key & Mouse Event Attributes"). */
const LEGACY = { a: { keyCode: 65 }, z: { keyCode: 90 }, ArrowRight: { keyCode: 39 } } as const;

/** A key that can be pressed. */
export type Key = keyof typeof LEGACY;

/** Dispatches keydown and keyup. */
export function pressKey(element: Element, key: Key, modifiers: KeyboardEventInit = {}): void {
  const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
  const common = { bubbles: true, cancelable: true, composed: true, ...modifiers };
  for (const type of ['keydown', 'keyup']) {
    element.dispatchEvent(new KeyboardEvent(type, { ...common, key, code, ...LEGACY[key] }));
  }
}

/** Presses a key with Control, or Command on a Mac. */
export function pressWithCommand(element: Element, key: Key): void {
  const isMac = navigator.userAgent.includes('Macintosh');
  pressKey(element, key, isMac ? { metaKey: true } : { ctrlKey: true });
}
