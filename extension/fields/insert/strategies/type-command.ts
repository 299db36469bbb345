import { typeInto } from '../editing-command.ts';
import type { Way } from '../field.ts';

/**
 * Lets the browser insert the text as if it had been typed at once: the page hears what it hears of
 * a person's typing, and the browser's own undo takes it back.
 */
export const typeCommand: Way = (element, text) =>
  isAnswered(element, text) || typeInto(element.ownerDocument, text);

/**
 * Asks the page as typing would: an editor that answers for itself writes the text into its model, or
 * keeps it out. Chromium does not ask before it carries out a command.
 */
function isAnswered(element: Element, data: string): boolean {
  const common = { bubbles: true, cancelable: true, composed: true };
  const event = new InputEvent('beforeinput', { ...common, inputType: 'insertText', data });
  element.dispatchEvent(event);
  return event.defaultPrevented;
}
