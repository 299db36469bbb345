import type { StopReason } from '../../../src/rpc/methods/guard.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { reasonOf, Sealing, type GuardBackground } from './sealing.ts';
import { isNewLine, isUndo, resumePress, resumeKey } from './resume-actions.ts';
import { resumeSubmit, resumeSubmitCall, type ResumeAction } from './resume-actions.ts';
import { MarkedFields } from './marked-fields.ts';
import { SUBMIT_CALL } from './submit-call.ts';

/** A page that tries again and again has its user told this often, unless they pressed something. */
const REPORT_EVERY_MS = 3_000;

/** Stands first at the window of a document, so that what it holds reaches no script of the page. */
export class FormGuard {
  readonly #document: Document;
  readonly #background: GuardBackground;
  readonly #marked: MarkedFields;
  readonly #sealing: Sealing;
  readonly #ending = new AbortController();
  /** Fields that were left, of which the page has not heard yet. */
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

  /** A guard that has outlived its extension can seal nothing: an update has brought its successor. */
  #isAlive(): boolean {
    const isAlive = this.#background.isAlive();
    if (!isAlive) this.stop();
    return isAlive;
  }

  /** Keeps an act from the page until nothing plain is left, then does it again. */
  #hold(event: Event, resume: ResumeAction | undefined): void {
    if (!resume || !this.#isAlive() || this.#marked.unsealed().length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#isHolding) return; // one of two presses is enough
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

  /** Pages save at these: they hear of them when the text is sealed, or known to be none of ours. */
  #onLeaving(event: Event): void {
    const field = targetOf(event);
    if (this.#marked.isUnsealed(field)) {
      event.stopImmediatePropagation();
      this.#unannounced.add(field);
    }
    // Where the focus has gone shows when the browser is done with it.
    if (event.type === 'focusout') setTimeout(() => void this.#sealLeft().catch(() => undefined));
  }

  /** @returns why something is left as it was; null: nothing is */
  async #sealAll(): Promise<StopReason | null> {
    try {
      await this.#marked.learn();
      const unsealed = this.#marked.unsealed();
      const outcomes = await Promise.all(unsealed.map((field) => this.#sealing.seal(field)));
      this.#announceLeft();
      return outcomes.find((reason) => reason !== null) ?? null;
    } catch (error) {
      return reasonOf(error).reason;
    }
  }

  /** What a person has left is sealed before its page, in its own time, thinks of saving it. */
  async #sealLeft(): Promise<void> {
    await this.#marked.learn();
    const left = this.#marked.unsealed().filter((field) => !hasFocus(field));
    await Promise.all(left.map((field) => this.#sealing.seal(field)));
    this.#announceLeft();
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

/** As far in as events tell. */
const targetOf = (event: Event): EventTarget | undefined => event.composedPath()[0];

/** Also while another window is in front: who comes back finds their text as they left it. */
function hasFocus(field: TextControl): boolean {
  const root = field.getRootNode() as Document | ShadowRoot;
  return root.activeElement === field;
}

/** What the page was not told when it happened. */
function announceLeft(field: TextControl): void {
  field.dispatchEvent(new Event('change', { bubbles: true }));
  field.dispatchEvent(new FocusEvent('blur', { composed: true }));
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }));
}
