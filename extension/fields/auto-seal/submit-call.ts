/*
 * `form.submit()` is the only way to submit a form without an event. On guarded sites this script
 * replaces it in the page's world by a function that dispatches an event first. A page can bypass it
 * with the method of another frame, or a form outside the document (docs/fields.md).
 */

/** The event that is dispatched on the form before `submit()`. Canceling it prevents the submit. */
export const SUBMIT_CALL = 'sealwright-submit-call';

type Form = HTMLFormElement & { readonly [DONE]?: true };

/** Marks the prototype: the method is replaced once, also if the script is injected again. */
const DONE = Symbol.for('sealwright submit call');

/** Replaces `submit` of the prototype. Runs in the page's world. */
export function announceSubmitCalls(prototype: Form): void {
  if (prototype[DONE]) return;
  const native = Object.getOwnPropertyDescriptor(prototype, 'submit')!;
  const nativeSubmit = native.value as (this: Form) => void;
  const dispatch = Object.getOwnPropertyDescriptor(EventTarget.prototype, 'dispatchEvent')!
    .value as (this: Form, event: Event) => boolean;
  const value = function submit(this: Form): void {
    const event = new Event(SUBMIT_CALL, { bubbles: true, cancelable: true });
    if (dispatch.call(this, event)) nativeSubmit.call(this);
  };
  Object.defineProperty(prototype, DONE, { value: true });
  Object.defineProperty(prototype, 'submit', { ...native, value });
}

/** Submits with the browser's own method. Runs in the extension's world. */
export function callSubmit(form: HTMLFormElement): void {
  HTMLFormElement.prototype.submit.call(form);
}
