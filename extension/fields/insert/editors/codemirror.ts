import type { DrawnEditor } from '../drawn-field.ts';
import { pressKey, pressWithCommand } from '../focus.ts';
import { caretToEnd, selectAll } from '../selection.ts';
import { paste } from '../strategies/paste.ts';

/**
 * CodeMirror 6 around an element. While another window has the focus it takes back every change of the browser's
 * selection. It still follows the keys of its default keymap then.
 */
export function codeMirrorAround(element: Element): DrawnEditor | undefined {
  const input = element.closest('.cm-editor')?.querySelector<HTMLElement>('.cm-content');
  if (!input) return undefined;
  const hasFocus = () => input.ownerDocument.hasFocus();
  return {
    input,
    lines: input,
    isReadOnly: !input.isContentEditable || input.ariaReadOnly === 'true',
    paste,
    selectAll: () => (hasFocus() ? selectAll(input) : pressWithCommand(input, 'a')),
    caretToEnd: () => (hasFocus() ? caretToEnd(input) : pressKey(input, 'ArrowRight')),
  };
}
