import { fieldOf } from '../insert/field-of.ts';
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

/**
 * Whether a key submits: Enter in a single-line field, and with Control or Command in any. In a field
 * with several lines Enter alone inserts a line break.
 */
export function isSendingKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false;
  const [field] = event.composedPath() as Element[];
  if (!field) return false;
  if (event.ctrlKey || event.metaKey) return fieldOf(field) !== undefined;
  return field.localName === 'input' && isTextControl(field);
}

/** Whether a key is Control and Z, or Command and Z on a Mac. */
export const isUndo = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;

/** A key that submits: dispatches it again, and submits the form if the page allows it. */
export function resumeKey(event: KeyboardEvent): ResumeAction {
  const field = event.composedPath()[0] as Element;
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const same = { key, code, ctrlKey, metaKey, shiftKey, altKey };
  // Pages still read keyCode (UI Events, "Legacy Key & Mouse Event Attributes").
  const common = { bubbles: true, cancelable: true, composed: true, keyCode: 13 };
  return () => {
    const isWanted = field.dispatchEvent(new KeyboardEvent('keydown', { ...common, ...same }));
    field.dispatchEvent(new KeyboardEvent('keyup', { ...common, ...same }));
    if (isWanted && !ctrlKey && !metaKey && isTextControl(field)) submitBy(field.form);
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
