import { fieldOf } from '../insert/field-of.ts';
import { isTextControl } from '../text-control.ts';
import { shadowRootOf } from '../shadow-root.ts';
import { callSubmit } from './submit-call.ts';

/** What may send a text, done again by us as a person, or the page, did it. */
export type ResumeAction = () => void;

/** A form that is submitted by a person or by `requestSubmit`. */
export function resumeSubmit(event: SubmitEvent): ResumeAction {
  const form = event.target as HTMLFormElement;
  const { submitter } = event;
  return () => form.requestSubmit(submitter && submitter.isConnected ? submitter : null);
}

/** One that is sent by `form.submit()`, past all of its checks. */
export function resumeSubmitCall(event: Event): ResumeAction {
  const form = event.target as HTMLFormElement;
  return () => callSubmit(form);
}

/** A press on whatever takes one; within a text a press only moves the caret. */
export function resumePress(event: MouseEvent): ResumeAction | undefined {
  const target = innermost(event);
  if (fieldOf(target) || target.closest('label, select')) return undefined;
  const { detail, clientX, clientY, ctrlKey, shiftKey, altKey, metaKey } = event;
  const same = { detail, clientX, clientY, ctrlKey, shiftKey, altKey, metaKey };
  const common = { bubbles: true, cancelable: true, composed: true };
  return () => target.dispatchEvent(new MouseEvent('click', { ...common, ...same }));
}

/** The element itself, also in shadow trees that events do not tell of. */
function innermost(event: MouseEvent): Element {
  let target = event.composedPath()[0] as Element;
  for (;;) {
    const inner = shadowRootOf(target)?.elementFromPoint(event.clientX, event.clientY);
    if (!inner || inner === target) return target;
    target = inner;
  }
}

/**
 * A key that sends: Enter in a field of one line, and with Control or Command anywhere. In a field of
 * several lines Enter alone is a new line, of which pages hear that send at it.
 */
function isSendingKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.isComposing) return false;
  const [field] = event.composedPath() as Element[];
  return event.ctrlKey || event.metaKey || field?.localName === 'input';
}

export const isNewLine = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !isSendingKey(event);

/** Control and Z, Command and Z on a Mac. */
export const isUndo = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;

export function resumeKey(event: KeyboardEvent): ResumeAction {
  const field = event.composedPath()[0] as Element;
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  const same = { key, code, ctrlKey, metaKey, shiftKey, altKey };
  // Pages still go by its number (UI Events, "Legacy Key & Mouse Event Attributes").
  const common = { bubbles: true, cancelable: true, composed: true, keyCode: 13 };
  return () => {
    const isWanted = field.dispatchEvent(new KeyboardEvent('keydown', { ...common, ...same }));
    field.dispatchEvent(new KeyboardEvent('keyup', { ...common, ...same }));
    if (isWanted && !ctrlKey && !metaKey && isTextControl(field)) submitBy(field.form);
  };
}

/** HTML, "Implicit submission": the first submit button's, else that of a form with one such field. */
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
