interface WithSelection {
  getSelection?(): Selection | null;
}

/** The selection of an element's shadow tree if the browser has one, else of its document. */
export function selectionIn(element: Element): Selection | undefined {
  const root = element.getRootNode() as WithSelection;
  return (
    (root.getSelection ? root.getSelection() : element.ownerDocument.getSelection()) ?? undefined
  );
}

/** Selects the whole content of an element. Editors are notified synchronously. */
export function selectAll(element: Element): void {
  selectionIn(element)?.selectAllChildren(element);
  dispatchSelectionChange(element);
}

/** Moves the caret to the end of an element. Editors are notified synchronously. */
export function caretToEnd(element: Element): void {
  selectionIn(element)?.collapse(element, element.childNodes.length);
  dispatchSelectionChange(element);
}

/** The browser also dispatches it, but in a later task. */
function dispatchSelectionChange({ ownerDocument }: Element): void {
  ownerDocument.dispatchEvent(new Event('selectionchange'));
}
