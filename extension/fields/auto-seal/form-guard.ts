import type { StopReason } from '../../../src/rpc/methods/guard.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { reasonOf, Sealing, type GuardBackground } from './sealing.ts';
import { isNewLine, isUndo, resumePress, resumeKey } from './resume-actions.ts';
import { resumeSubmit, resumeSubmitCall, type ResumeAction } from './resume-actions.ts';
import { MarkedFields } from './marked-fields.ts';
import { SUBMIT_CALL } from './submit-call.ts';

/** Without a user action, at most one report in this time, so that a page cannot open many windows. */
const REPORT_EVERY_MS = 3_000;

/** Delays submits, presses and keys until all marked fields are sealed. Its listeners run before the page's. */
export class FormGuard {
  readonly #document: Document;
  readonly #background: GuardBackground;
  readonly #marked: MarkedFields;
  readonly #sealing: Sealing;
  readonly #ending = new AbortController();
  /** Fields that lost the focus, and whose events the page has not received yet. */
  readonly #unannounced = new Set<TextControl>();
  #isHolding = false;
  #reportedAt = -Infinity;

  constructor(document: Document, background: GuardBackground) {
    this.#document = document;
    this.#background = background;
    this.#marked = new MarkedFields(document, background);
    this.#sealing = new Sealing(background);
  }

  start(): void {
    this.#on('submit', (event) => this.#hold(event, resumeSubmit(event)));
    this.#on(SUBMIT_CALL, (event) => this.#hold(event, resumeSubmitCall(event)));
    this.#on('click', (event) => event.isTrusted && this.#hold(event, resumePress(event)));
    for (const type of ['keydown', 'keypress', 'keyup'] as const) {
      this.#on(type, (event) => event.isTrusted && this.#onKey(event));
    }
    this.#on('input', (event) => event.isTrusted && this.#marked.noteTyping(targetOf(event)));
    for (const type of ['change', 'blur', 'focusout'] as const) {
      this.#on(type, (event) => event.isTrusted && this.#onLeaving(event));
    }
    void this.#marked.learn().catch(() => undefined);
  }

  stop(): void {
    this.#ending.abort();
  }

  #on<Type extends string>(
    type: Type,
    listener: (event: Type extends keyof WindowEventMap ? WindowEventMap[Type] : Event) => void,
  ): void {
    const { signal } = this.#ending;
    const window = this.#document.defaultView!;
    window.addEventListener(type, listener as (event: Event) => void, { capture: true, signal });
  }

  /** False if the extension was updated or removed. The guard then stops: it cannot seal any more. */
  #isAlive(): boolean {
    const isAlive = this.#background.isAlive();
    if (!isAlive) this.stop();
    return isAlive;
  }

  /** Withholds an event from the page until all fields are sealed, then repeats its action. */
  #hold(event: Event, resume: ResumeAction | undefined): void {
    if (!resume || !this.#isAlive() || this.#marked.unsealed().length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#isHolding) return; // a second press is dropped
    this.#isHolding = true;
    void this.#sealAll()
      .finally(() => (this.#isHolding = false))
      .then((reason) => (reason === null ? resume() : this.#reportStopped(reason)));
  }

  #onKey(event: KeyboardEvent): void {
    const field = targetOf(event);
    if (isUndo(event)) this.#undo(event, field as Element);
    else if (event.key === 'Enter' && this.#marked.isUnsealed(field)) this.#onEnter(event);
  }

  #undo(event: KeyboardEvent, field: Element): void {
    if (event.type !== 'keydown' || !isTextControl(field) || !this.#sealing.undo(field)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #onEnter(event: KeyboardEvent): void {
    if (isNewLine(event)) event.stopImmediatePropagation();
    else if (event.type === 'keydown') this.#hold(event, resumeKey(event));
  }

  /** Pages save at these events. They are withheld until the text is sealed or the field is not marked. */
  #onLeaving(event: Event): void {
    const field = targetOf(event);
    if (this.#marked.isUnsealed(field)) {
      event.stopImmediatePropagation();
      this.#unannounced.add(field);
    }
    // The new focus is known only after this event.
    if (event.type === 'focusout') setTimeout(() => void this.#sealLeft().catch(() => undefined));
  }

  /** @returns why a field could not be sealed; null if all are sealed */
  async #sealAll(): Promise<StopReason | null> {
    try {
      await this.#marked.learn();
      const unsealed = this.#marked.unsealed();
      const outcomes = await Promise.all(unsealed.map((field) => this.#sealing.seal(field)));
      this.#announceLeft();
      return outcomes.find((reason) => reason !== null) ?? null;
    } catch (error) {
      // While the vault is locked, text that the user did not type is not withheld.
      return this.#marked.unsealed().length === 0 ? null : reasonOf(error).reason;
    }
  }

  /** Seals fields that lost the focus, before a page saves them by itself. */
  async #sealLeft(): Promise<void> {
    try {
      await this.#marked.learn();
      const left = this.#marked.unsealed().filter((field) => !hasFocus(field));
      await Promise.all(left.map((field) => this.#sealing.seal(field)));
    } finally {
      this.#announceLeft();
    }
  }

  #announceLeft(): void {
    for (const field of this.#unannounced) {
      if (this.#marked.isUnsealed(field)) continue;
      this.#unannounced.delete(field);
      if (!hasFocus(field)) announceLeft(field);
    }
  }

  #reportStopped(reason: StopReason): void {
    const isPressed = navigator.userActivation.isActive;
    if (!isPressed && performance.now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = performance.now();
    void this.#background.formStopped(reason).catch(() => undefined);
  }
}

/** The innermost target that the event shows. */
const targetOf = (event: Event): EventTarget | undefined => event.composedPath()[0];

/** True also while another window is in front, so that a text is not sealed while its user is away. */
function hasFocus(field: TextControl): boolean {
  const root = field.getRootNode() as Document | ShadowRoot;
  return root.activeElement === field;
}

/** Dispatches the withheld events of a field that lost the focus. */
function announceLeft(field: TextControl): void {
  field.dispatchEvent(new Event('change', { bubbles: true }));
  field.dispatchEvent(new FocusEvent('blur', { composed: true }));
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }));
}
