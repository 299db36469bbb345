import { pressKey, pressWithCommand } from '../focus.ts';
import { copyEvent, paste } from '../strategies/paste.ts';
import { isSeen, isTextControl } from '../../text-control.ts';
import type { DrawnEditor } from '../drawn-field.ts';

/** Elements that contain such an editor: CodeMirror 5 and Ace. */
const KNOWN = '.CodeMirror, .ace_editor';
/** What receives the keys there. On telephones, CodeMirror 5 edits its lines themselves. */
const RECEIVER = '.CodeMirror-code[contenteditable], textarea';

/**
 * An editor that draws its text itself and receives keys in a text area that no user sees: CodeMirror 5, Ace, and
 * others of their kind. That area is empty, or holds the selection.
 */
export function keyReceiverAround(element: Element): DrawnEditor | undefined {
  const known = element.closest(KNOWN);
  const input = known?.querySelector<HTMLElement>(RECEIVER) ?? unseenArea(element);
  if (!input) return undefined;
  return {
    input,
    lines: known ?? input.parentElement?.parentElement ?? input,
    isReadOnly: input.matches('[readonly], [aria-readonly="true"], :disabled'),
    paste,
    selectAll: () => pressWithCommand(input, 'a'),
    caretToEnd: () => pressKey(input, 'ArrowRight'),
    copied: () => copied(input),
  };
}

/** CodeMirror 5 puts the selection into its area and has the browser copy it. */
function copied(input: HTMLElement): string {
  const event = copyEvent(input);
  input.dispatchEvent(event);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  return text === '' && !event.defaultPrevented && isTextControl(input) ? input.value : text;
}

function unseenArea(element: Element): HTMLElement | undefined {
  if (element.localName !== 'textarea') return undefined;
  const area = element as HTMLTextAreaElement;
  return area.value === '' && !isSeen(area) ? area : undefined;
}
