/**
 * Gives a field the focus. While another window is in front the browser tells nobody of it before the
 * person comes back; some editors take nothing until they hear of it, so they hear of it now.
 */
export function enter(field: HTMLElement): void {
  field.focus({ preventScroll: true });
  if (field.ownerDocument.hasFocus()) return;
  field.dispatchEvent(new FocusEvent('focus', { composed: true }));
  field.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
}
