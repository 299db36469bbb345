import type { DrawnEditor } from '../drawn-field.ts';
import { pressKey, pressWithCommand } from '../focus.ts';
import { pasteWith } from '../strategies/paste.ts';

/**
 * With a list of files that names none (only a comment; RFC 2483 section 5): without such a list it
 * looks for files on the clipboard, and where the browser asks the person first, nothing is pasted
 * before the answer.
 */
const PASTE = pasteWith({ 'text/uri-list': '#' });

/** Monaco, the editor of VS Code, around an element. */
export function monacoAround(element: Element): DrawnEditor | undefined {
  const root = element.closest('.monaco-editor');
  // An EditContext where the browser has one, else a textarea that is never seen.
  const input = root?.querySelector<HTMLElement>('.native-edit-context, textarea.inputarea');
  const lines = root?.querySelector('.view-lines');
  if (!input || !lines) return undefined;
  return {
    input,
    lines,
    isReadOnly: input.matches('[readonly], [aria-readonly="true"]'),
    paste: PASTE,
    selectAll: () => pressWithCommand(input, 'a'),
    caretToEnd: () => pressKey(input, 'ArrowRight'),
  };
}
