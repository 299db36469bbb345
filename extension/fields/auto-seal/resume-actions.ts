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

/** A click. Undefined in text fields, labels and lists, where a click submits nothing. */
export function resumePress(event: MouseEvent): ResumeAction | undefined {
  const target = innermost(event);
  if (fieldOf(target) || target.closest('label, select')) return undefined;
  const { detail, clientX, clientY, ctrlKey, shiftKey, altKey, metaKey } = event;
  const same = { detail, clientX, clientY, ctrlKey, shiftKey, altKey, metaKey };
  const common = { bubbles: true, cancelable: true, composed: true };
  return () => target.dispatchEvent(new MouseEvent('click', { ...common, ...same }));
}

/** The clicked element, also in closed shadow trees, which events do not show. */
function innermost(event: MouseEvent): Element {
  let target = event.composedPath()[0] as Element;
  for (;;) {
    const inner = shadowRootOf(target)?.elementFromPoint(event.clientX, event.clientY);
    if (!inner || inner === target) return target;
    target = inner;
  }
}

/**
 * Whether a key submits: Enter in a single-line field, and with Control or Command anywhere. In a field
 * with several lines Enter alone inserts a line break.
 */
function isSendingKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false;
  const [field] = event.composedPath() as Element[];
  return event.ctrlKey || event.metaKey || field?.localName === 'input';
}

/** Whether a key inserts a line break. */
export const isNewLine = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !isSendingKey(event);

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
