interface WithSelection {
  getSelection?(): Selection | null;
}

/** The selection that an element can be in: that of its shadow tree, where the browser has one. */
export function selectionIn(element: Element): Selection | undefined {
  const root = element.getRootNode() as WithSelection;
  return (
    (root.getSelection ? root.getSelection() : element.ownerDocument.getSelection()) ?? undefined
  );
}

/** Selects all that the element holds, and lets editors know before the next line runs. */
export function selectAll(element: Element): void {
  selectionIn(element)?.selectAllChildren(element);
  dispatchSelectionChange(element);
}

export function caretToEnd(element: Element): void {
  selectionIn(element)?.collapse(element, element.childNodes.length);
  dispatchSelectionChange(element);
}

/** The browser tells it too, but only in a later task. */
function dispatchSelectionChange({ ownerDocument }: Element): void {
  ownerDocument.dispatchEvent(new Event('selectionchange'));
}
