/**
 * The one way of editing that a page's editors hear as typing and that undo takes back. Deprecated for
 * want of a specification (W3C, "execCommand", unofficial), and kept by every browser for want of
 * another.
 */
interface EditedDocument {
  execCommand(command: 'insertText', showUi: false, text: string): boolean;
}

/** Types the text in place of what is selected. */
export function typeInto(document: Document, text: string): void {
  const edited: EditedDocument = document;
  edited.execCommand('insertText', false, text);
}
