import type { DrawnEditor } from '../drawn-field.ts';
import { caretToEnd, selectAll } from '../selection.ts';
import { paste } from '../strategies/paste.ts';

/** CodeMirror 6 around an element. */
export function codeMirrorAround(element: Element): DrawnEditor | undefined {
  const input = element.closest('.cm-editor')?.querySelector<HTMLElement>('.cm-content');
  if (!input) return undefined;
  return {
    input,
    lines: input,
    isReadOnly: !input.isContentEditable || input.ariaReadOnly === 'true',
    paste,
    selectAll: () => selectAll(input),
    caretToEnd: () => caretToEnd(input),
  };
}
