import type { InsertStrategy } from '../field.ts';

/**
 * Lets the browser insert the text as if it had been typed at once: the page hears what it hears of
 * a person's typing, and the browser's own undo takes it back.
 */
export const typeCommand: InsertStrategy = (element, text) =>
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

/**
 * The one way of editing that a page's editors hear as typing and that undo takes back. Deprecated for
 * want of a specification (W3C, "execCommand", unofficial), and kept by every browser for want of
 * another.
 */
interface EditedDocument {
  execCommand(command: 'insertText', showUi: false, text: string): boolean;
  execCommand(command: 'undo'): boolean;
}

/**
 * Types the text in place of what is selected.
 * @returns false where nothing can be typed
 */
export function typeInto(document: Document, text: string): boolean {
  const edited: EditedDocument = document;
  return edited.execCommand('insertText', false, text);
}

/** Takes back the last that the browser itself did. */
export function undoIn(document: Document): void {
  const edited: EditedDocument = document;
  edited.execCommand('undo');
}
