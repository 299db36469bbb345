import { fieldOf } from '../insert/field-of.ts';
import { setRange } from '../insert/strategies/set-value.ts';
import { isTextControl } from '../text-control.ts';
import { shadowRootOf } from '../../platform/fields/shadow-root.ts';
import { callSubmit } from './submit-call.ts';

/** Repeats a withheld action as the user or the page did it. */
export type ResumeAction = () => void;

/** A form that the user or `requestSubmit` submits. */
export function resumeSubmit(event: SubmitEvent): ResumeAction {
  const form = event.target as HTMLFormElement;
  const { submitter } = event;
  return () => form.requestSubmit(submitter && submitter.isConnected ? submitter : null);
}

/** A form that `form.submit()` submits, without validation. */
export function resumeSubmitCall(event: Event): ResumeAction {
  const form = event.target as HTMLFormElement;
  return () => callSubmit(form);
}

/** The events at the end of a press, in their order. Pages send at any of them. */
export const PRESSES = [
  'pointerup',
  'touchend',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
] as const;

export const isPress = (type: string): boolean => (PRESSES as readonly string[]).includes(type);

/** A press. Undefined in text fields, labels and lists, where a press submits nothing. */
export function resumePress(event: MouseEvent | TouchEvent): ResumeAction | undefined {
  const target = innermost(event);
  // The target is the document where the pointer has left the window.
  const isElement = 'closest' in target;
  if (isElement && (fieldOf(target) || target.closest('label, select'))) return undefined;
  return () => target.dispatchEvent(copyOf(event));
}

/** An event's attributes have the names and the types of its constructor's options. */
function copyOf(event: MouseEvent | TouchEvent): Event {
  const { type } = event;
  if ('changedTouches' in event) return new TouchEvent(type, event as object);
  return type === 'pointerup' ? new PointerEvent(type, event) : new MouseEvent(type, event);
}

/** The clicked element, also in closed shadow trees, which events do not show. */
function innermost(event: MouseEvent | TouchEvent): Element {
  let target = event.composedPath()[0] as Element;
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event;
  for (;;) {
    const inner = shadowRootOf(target)?.elementFromPoint(clientX, clientY);
    if (!inner || inner === target) return target;
    target = inner;
  }
}

/** Labels of the Enter key by which a field says that Enter sends (HTML, "enterkeyhint"). */
const SENDING_HINTS: ReadonlySet<string> = new Set(['send', 'go', 'search', 'done']);

/** A field with fewer lines is one of chats, even if it grows with its text. */
const LINES_MIN = 1.5;

/**
 * Whether a key sends: Enter in a field of one line and in a chat line, and with Control or Command in any.
 * In other fields with several lines Enter alone inserts a line break.
 *
 * @param field of an editor; else the one that the key was pressed in
 */
export function isSendingKey(event: KeyboardEvent, field = pressedIn(event)): boolean {
  if (event.key !== 'Enter' || event.isComposing || !field) return false;
  if (event.ctrlKey || event.metaKey) return fieldOf(field) !== undefined;
  if (field.localName === 'input') return isTextControl(field);
  const isPlain = !event.shiftKey && !event.altKey;
  return isPlain && field.localName === 'textarea' && isChatLine(field as HTMLTextAreaElement);
}

const pressedIn = (event: KeyboardEvent) => event.composedPath()[0] as Element | undefined;

function isChatLine(field: HTMLTextAreaElement): boolean {
  if (SENDING_HINTS.has(field.enterKeyHint) || field.rows === 1) return true;
  const { lineHeight, fontSize, paddingTop, paddingBottom } = getComputedStyle(field);
  const line = Number.parseFloat(lineHeight) || 1.2 * Number.parseFloat(fontSize);
  const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
  return field.clientHeight - padding < LINES_MIN * line;
}

/** Whether a key is Control and Z, or Command and Z on a Mac. */
export const isUndo = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;

/**
 * A key that submits: dispatches it again, and submits the form if the page allows it.
 *
 * @param insertLine for a chat line, where the page does not send
 */
export function resumeKey(
  event: KeyboardEvent,
  field = event.composedPath()[0] as HTMLElement,
  insertLine: () => void = () => {
    setRange(field, '\n');
  },
): ResumeAction {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const same = { key, code, ctrlKey, metaKey, shiftKey, altKey };
  // Pages still read keyCode (UI Events, "Legacy Key & Mouse Event Attributes").
  const common = { bubbles: true, cancelable: true, composed: true, keyCode: 13 };
  return () => {
    const isWanted = field.dispatchEvent(new KeyboardEvent('keydown', { ...common, ...same }));
    field.dispatchEvent(new KeyboardEvent('keyup', { ...common, ...same }));
    if (!isWanted || ctrlKey || metaKey || !isTextControl(field)) return;
    if (field.localName === 'textarea') insertLine();
    else submitBy(field.form);
  };
}

/** HTML, "Implicit submission": by the first submit button, else if the form has one text field. */
function submitBy(form: HTMLFormElement | null): void {
  if (!form) return;
  const isSubmit = (element: Element): boolean =>
    element.matches(
      'button:not([type=button], [type=reset]), input[type=submit], input[type=image]',
    );
  const [button] = [...form.elements].filter(isSubmit) as HTMLElement[];
  if (button) button.click();
  else if ([...form.elements].filter(isTextControl).length === 1) form.requestSubmit();
}
