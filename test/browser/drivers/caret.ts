/**
 * Moves the caret of the focused field behind the text in it. Runs in the page.
 *
 * A click puts the caret where the pointer is: into the middle of a text that is long enough. What
 * is typed then lands at a position that depends on the fonts of the machine.
 */
export function caretToEnd(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    // Inputs of some types (email, number) have no selection: null, and setting it throws.
    const end = field.value.length;
    if (field.selectionStart !== null) field.setSelectionRange(end, end);
  } else if (field instanceof HTMLElement && field.isContentEditable && field.textContent !== '') {
    const selection = getSelection()!;
    selection.selectAllChildren(field);
    selection.collapseToEnd();
  }
}

/** In the page: whether the focus is in the field. True of whatever is no field: editors have own ways. */
export function hasFocus(selector: string): boolean {
  const field = document.querySelector(selector);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return !isField || field === document.activeElement;
}
