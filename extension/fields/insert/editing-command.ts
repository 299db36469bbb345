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
