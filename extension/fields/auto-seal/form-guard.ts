import type { StopReason } from '../../../src/rpc/methods/guard.ts';
import { onRewritten } from '../../platform/channels/rewritten.ts';
import type { Editors } from '../editor/editors.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { reasonOf, Sealing, type GuardBackground } from './sealing.ts';
import {
  isPress,
  isSendingKey,
  isUndo,
  PRESSES,
  resumePress,
  resumeKey,
  resumeSubmit,
  resumeSubmitCall,
  type ResumeAction,
} from './resume-actions.ts';
import { MarkedFields } from './marked-fields.ts';
import { ASKED, POPUP, SiteGuards, STARTED, WANTED } from './site-guards.ts';
import { SUBMIT_CALL } from './submit-call.ts';

/** Without a user action, at most one report in this time, so that a page cannot open many windows. */
const REPORT_EVERY_MS = 3_000;
/** After an answer, so that no second click of a double click asks again. */
const ASK_EVERY_MS = 1_000;

/** A page may replace fields while they are sealed. */
const ROUNDS_MAX = 5;

const CAPTURE = { capture: true } as const;

/** A withheld event. */
interface Held {
  readonly type: string;
  readonly resume: ResumeAction;
}

/**
 * Delays submits, presses and keys until all marked fields are sealed. Its listeners run before the page's,
 * if it was there first: not in a page that was open when its first field was marked, or at an update.
 *
 * After an update, a copy of the new version replaces it. Until then, and where the extension was removed
 * or switched off, it cannot seal: the user decides whether the text is sent unsealed.
 */
export class FormGuard {
  readonly #document: Document;
  readonly #background: GuardBackground;
  readonly #editors: Editors;
  /** Asks the user whether to send unsealed text. */
  readonly #askUnsealed: () => boolean;
  readonly #site: SiteGuards;
  readonly #marked: MarkedFields;
  readonly #sealing: Sealing;
  readonly #listeners: [type: string, listener: (event: Event) => void][] = [];
  #endListening = (): void => undefined;
  /** The types of events that the page has not received yet. */
  readonly #unannounced = new Map<Element, Set<string>>();
  /** In the order in which they came; empty while nothing is withheld. */
  #held: Held[] = [];
  #reportedAt = -Infinity;
  #askedAt = -Infinity;

  constructor(
    document: Document,
    background: GuardBackground,
    editors: Editors,
    askUnsealed: () => boolean,
  ) {
    this.#document = document;
    this.#background = background;
    this.#editors = editors;
    this.#askUnsealed = askUnsealed;
    this.#site = new SiteGuards(document.defaultView!);
    this.#marked = new MarkedFields(document, background, editors);
    this.#sealing = new Sealing(background, editors);
  }

  start(): void {
    this.#document.defaultView!.dispatchEvent(new Event(STARTED));
    this.#on(STARTED, () => this.#background.isAlive() || this.stop());
    this.#on(POPUP, (event) => this.#site.notePopup(event as MessageEvent));
    this.#on(ASKED, (event) => this.#marked.unsealed().length > 0 && event.preventDefault());
    this.#on(WANTED, () => void this.#sealAll().then((reason) => this.#site.answer(reason)));
    this.#on('submit', (event) => this.#hold(event, resumeSubmit(event)));
    this.#on(SUBMIT_CALL, (event) => this.#hold(event, resumeSubmitCall(event)));
    for (const type of PRESSES) {
      this.#on(type, (event) => event.isTrusted && this.#hold(event, resumePress(event)));
    }
    for (const type of ['keydown', 'keypress', 'keyup'] as const) {
      this.#on(type, (event) => event.isTrusted && this.#onKey(event));
    }
    this.#on('input', (event) => event.isTrusted && this.#onTyping(targetOf(event)));
    for (const type of ['change', 'blur', 'focusout'] as const) {
      this.#on(type, (event) => event.isTrusted && this.#onLeaving(event));
    }
    this.#on('pageshow', (event) => isRestored(event) && this.#marked.noteAllText());
    // Before the guard's own listeners: what the user does in an editor concerns neither the guard nor the page.
    this.#editors.start({
      isWanted: (field) => this.#marked.mayBeMarked(field),
      onTyping: (field) => this.#onTyping(field),
      onPause: () => void this.#refreshFields().catch(() => undefined),
      onSendingKey: (field, event) => this.#onEditorKey(event, field),
      onLeave: (field) => this.#onEditorLeft(field),
      onOpen: (field) => void this.#background.openSealed(field).catch(() => undefined),
    });
    this.#listen();
    this.#endListening = onRewritten(this.#document, () => this.#listen());
    // At the start of a document there are no fields yet. Fields show that the page was open before.
    this.#marked.noteAllText();
    this.#site.announce();
  }

  /** Gets the names of the marked fields, as soon as the background can be called. */
  learn(): void {
    void this.#learnNames().catch(() => undefined);
  }

  stop(): void {
    this.#editors.stop();
    this.#endListening();
    const window = this.#document.defaultView!;
    for (const [type, listener] of this.#listeners) {
      window.removeEventListener(type, listener, CAPTURE);
    }
  }

  #on<Type extends string>(
    type: Type,
    listener: (event: Type extends keyof WindowEventMap ? WindowEventMap[Type] : Event) => void,
  ): void {
    this.#listeners.push([type, listener as (event: Event) => void]);
  }

  #listen(): void {
    const window = this.#document.defaultView!;
    for (const [type, listener] of this.#listeners) {
      window.addEventListener(type, listener, CAPTURE);
    }
  }

  async #learnNames(): Promise<void> {
    await this.#marked.learn();
    this.#editors.release((field) => !this.#marked.mayBeMarked(field));
  }

  /** Withholds an event from the page until all fields are sealed, then repeats its action. */
  #hold(event: Event, resume: ResumeAction | undefined): void {
    const isRest = this.#held.length > 0 && isPress(event.type); // of a press that is withheld
    if (!resume || (!isRest && !this.#isUnsealed(event))) return;
    if (!this.#background.isAlive() && this.#isLetGo(event)) return;
    withhold(event);
    if (!this.#background.isAlive() || !this.#isAwaited(event)) return;
    this.#held.push({ type: event.type, resume });
    if (this.#held.length > 1) return;
    void this.#sealFor(event).then((reason) => {
      const held = this.#held.splice(0);
      if (reason === null) for (const each of held) each.resume();
      else this.#reportStopped(reason);
    });
  }

  #isUnsealed(event: Event): boolean {
    return this.#marked.unsealed().length > 0 || (isOfSite(event) && this.#site.isUnsealed());
  }

  async #sealFor(event: Event): Promise<StopReason | null> {
    const reason = await this.#sealAll();
    return reason ?? (isOfSite(event) ? this.#site.seal() : null);
  }

  /** The first event, and the others of its press. What the user does meanwhile is dropped. */
  #isAwaited({ type }: Event): boolean {
    const types = this.#held.map((each) => each.type);
    return types.length === 0 || ([...types, type].every(isPress) && !types.includes(type));
  }

  /**
   * Without its extension: whether the user lets this event go, and all later ones. Only a click or a key of
   * the user asks, and no submit, which a page can cause at any time.
   */
  #isLetGo({ type }: Event): boolean {
    const isAct = type === 'click' || type === 'keydown';
    if (!isAct || performance.now() - this.#askedAt < ASK_EVERY_MS) return false;
    const isLetGo = this.#askUnsealed();
    this.#askedAt = performance.now();
    if (!isLetGo) return false;
    this.#editors.release(() => true);
    this.stop();
    for (const [element, types] of this.#unannounced) this.#announce(element, types);
    return true;
  }

  #onTyping(field: EventTarget | undefined): void {
    this.#marked.noteTyping(field);
    // The page of the opener may have been loaded anew since the start.
    this.#site.announce();
  }

  #onKey(event: KeyboardEvent): void {
    const field = targetOf(event);
    if (isUndo(event)) this.#undo(event, field as Element);
    else if (isSendingKey(event)) this.#onSendingKey(event);
    else if (event.key === 'Enter' && this.#marked.isUnsealed(field)) {
      event.stopImmediatePropagation(); // a line break
    }
  }

  #undo(event: KeyboardEvent, field: Element): void {
    if (event.type !== 'keydown' || !isTextControl(field) || !this.#sealing.undo(field)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #onSendingKey(event: KeyboardEvent): void {
    if (event.type === 'keydown') this.#hold(event, resumeKey(event));
    else if (this.#marked.unsealed().length > 0) withhold(event);
  }

  /** A key that sends, in an editor: the page receives it on the field. */
  #onEditorKey(event: KeyboardEvent, field: TextControl): void {
    const resume = resumeKey(event, field, () => this.#editors.insertLine(field));
    if (this.#marked.unsealed().length > 0) {
      this.#hold(event, resume);
    } else {
      withhold(event);
      resume();
    }
  }

  #onEditorLeft(field: TextControl): void {
    this.#unannounced.set(field, new Set(['blur', 'focusout']));
    void this.#sealLeft().catch(() => undefined);
  }

  /** Pages save at these events, all fields at those of one. They are withheld until the text is sealed. */
  #onLeaving(event: Event): void {
    const target = targetOf(event);
    if (isElement(target) && (this.#marked.isUnsealed(target) || this.#left().length > 0)) {
      event.stopImmediatePropagation();
      const types = this.#unannounced.get(target) ?? new Set();
      this.#unannounced.set(target, types.add(event.type));
    }
    // The new focus is known only after this event.
    if (event.type === 'focusout') setTimeout(() => void this.#sealLeft().catch(() => undefined));
  }

  /** Marked fields whose text is not sealed, but for the one that the user is in. */
  #left(): TextControl[] {
    return this.#marked.unsealed().filter((field) => !this.#hasFocus(field));
  }

  /** @returns why a field could not be sealed; null if all are sealed */
  async #sealAll(): Promise<StopReason | null> {
    try {
      await this.#learnNames();
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const unsealed = this.#marked.unsealed();
        const editors = unsealed.map((field) => this.#editors.of(field));
        const outcomes = await Promise.all(unsealed.map((field) => this.#sealing.seal(field)));
        for (const editor of editors) if (editor) this.#announceChange(editor.field);
        this.#announceLeft();
        const reason = outcomes.find((outcome) => outcome !== null);
        const isReplaced = unsealed.some(({ isConnected }) => !isConnected);
        if (reason || !isReplaced) return reason ?? null;
      }
      return 'refused';
    } catch (error) {
      // While the vault is locked, text that the page wrote is not withheld.
      return this.#marked.unsealed().length === 0 ? null : reasonOf(error).reason;
    }
  }

  /** Brings fields up to date with their editors, while the user is in one. */
  async #refreshFields(): Promise<void> {
    await this.#learnNames();
    const edited = this.#marked.unsealed().filter((field) => this.#editors.of(field));
    await Promise.all(edited.map((field) => this.#sealing.seal(field)));
  }

  /** Seals fields that lost the focus, before a page saves them by itself. */
  async #sealLeft(): Promise<void> {
    try {
      await this.#learnNames();
      await Promise.all(this.#left().map((field) => this.#sealing.seal(field)));
    } finally {
      this.#announceLeft();
    }
  }

  #announceLeft(): void {
    if (this.#left().length > 0) return;
    for (const [element, types] of this.#unannounced) {
      if (this.#marked.isUnsealed(element)) continue;
      this.#unannounced.delete(element);
      this.#announce(element, types);
    }
  }

  /** Dispatches the withheld events. An element that has the focus again was not left. */
  #announce(element: Element, types: ReadonlySet<string>): void {
    if (types.has('change')) element.dispatchEvent(new Event('change', { bubbles: true }));
    this.#announceChange(element);
    if (this.#hasFocus(element)) return;
    if (types.has('blur')) element.dispatchEvent(new FocusEvent('blur', { composed: true }));
    if (!types.has('focusout')) return;
    element.dispatchEvent(new FocusEvent('focusout', { bubbles: true, composed: true }));
  }

  /** The page gets `change` for an editor as for its field: when the change is complete. */
  #announceChange(field: Element): void {
    const editor = this.#editors.of(field);
    if (!editor?.isUnannounced) return;
    editor.noteAnnounced();
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** True also while another window is in front, so that a text is not sealed while its user is away. */
  #hasFocus(element: Element): boolean {
    const root = element.getRootNode() as Document | ShadowRoot;
    if (!(this.#editors.of(element)?.hasFocus ?? root.activeElement === element)) return false;
    // Each document has an active element of its own; the user is in the one of the innermost frame.
    const frame = element.ownerDocument.defaultView?.frameElement;
    return !frame || this.#hasFocus(frame);
  }

  #reportStopped(reason: StopReason): void {
    const isPressed = navigator.userActivation.isActive;
    if (!isPressed && performance.now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = performance.now();
    void this.#background.formStopped(reason).catch(() => undefined);
  }
}

/**
 * Whether an event can have any document of the site send. A form that its page submits by itself waits for its own
 * document alone.
 */
const isOfSite = ({ type }: Event): boolean => type !== 'submit' && type !== SUBMIT_CALL;

const isBesideClick = (type: string): boolean => isPress(type) && type !== 'click';

/** By default, the other events of a press submit nothing, and touchend has the click follow. */
function withhold(event: Event): void {
  if (!isBesideClick(event.type)) event.preventDefault();
  event.stopImmediatePropagation();
}

/** Whether the browser may have put text into the page's fields: it was left and came back, or was reloaded. */
function isRestored({ persisted }: PageTransitionEvent): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return persisted || navigation?.type !== 'navigate';
}

/** The innermost target that the event shows. */
const targetOf = (event: Event): EventTarget | undefined => event.composedPath()[0];

/** The window and the document are event targets too. */
const isElement = (target: EventTarget | undefined): target is Element =>
  target !== undefined && 'localName' in target;
