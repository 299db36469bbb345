/*
 * `form.submit()`: the one way of sending a form that makes no event. On guarded sites the page's world has
 * one that makes this event first. A page can go round it, by another frame's or a form in no document;
 * docs/fields.md says so.
 */
export const SUBMIT_CALL = 'sealwright-submit-call';

type Form = HTMLFormElement & { readonly [DONE]?: true };

/** Once for each document, however often the script is injected. */
const DONE = Symbol.for('sealwright submit call');

/** Runs in the page's world. */
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

/** In the extension's world, whose prototype is the browser's own. */
export function callSubmit(form: HTMLFormElement): void {
  HTMLFormElement.prototype.submit.call(form);
}
