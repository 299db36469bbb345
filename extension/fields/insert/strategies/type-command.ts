import type { InsertStrategy } from '../field.ts';

/**
 * Lets the browser insert the text as typed input: the page receives the events of typing, and the
 * browser's undo includes it.
 */
export const typeCommand: InsertStrategy = (element, text) =>
  isAnswered(element, text) || typeInto(element.ownerDocument, text);

/**
 * Dispatches `beforeinput` as typing does. An editor that cancels it inserts the text into its model, or
 * refuses it. Chromium does not dispatch it for commands.
 */
function isAnswered(element: Element, data: string): boolean {
  const common = { bubbles: true, cancelable: true, composed: true };
  const event = new InputEvent('beforeinput', { ...common, inputType: 'insertText', data });
  element.dispatchEvent(event);
  return event.defaultPrevented;
}

/**
 * The only method that editors receive as typing and that undo includes. It is deprecated because it
 * has no official specification (W3C, "execCommand"). All browsers keep it, because there is no
 * replacement.
 */
interface EditedDocument {
  execCommand(command: 'insertText', showUi: false, text: string): boolean;
  execCommand(command: 'undo'): boolean;
}

/**
 * Replaces the selection by typed text.
 *
 * @returns false if the document does not accept it
 */
export function typeInto(document: Document, text: string): boolean {
  const edited: EditedDocument = document;
  return edited.execCommand('insertText', false, text);
}

/** Undoes the browser's last edit. */
export function undoIn(document: Document): void {
  const edited: EditedDocument = document;
  edited.execCommand('undo');
}
