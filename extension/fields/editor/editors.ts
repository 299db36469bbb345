import { onRewritten } from '../../platform/channels/rewritten.ts';
import { EDITOR_HOST, shadowRootOf } from '../../platform/fields/shadow-root.ts';
import { hasName, nameOfField } from '../auto-seal/field-name.ts';
import { isSendingKey } from '../auto-seal/resume-actions.ts';
import { focusedIn } from '../find/focused.ts';
import { textControls } from '../find/page-text.ts';
import { setValue } from '../insert/strategies/set-value.ts';
import { isProtected } from '../policy.ts';
import { isSeen, isTextControl, type TextControl } from '../text-control.ts';
import { FieldEditor, type EditorEvents, type SealedTexts } from './field-editor.ts';

/** The field is refreshed when the user has not typed for this time. */
const PAUSE_MS = 1_000;
/** Between two searches for the field that replaces one. */
const SEARCH_MS = 250;
const CAPTURE = { capture: true } as const;

/** What the guard decides and does. */
export interface EditorsUser {
  /** Whether a field is marked, or may be. */
  isWanted(field: TextControl): boolean;
  onTyping(field: TextControl): void;
  /** The field is to be brought up to date. */
  onPause(): void;
  /** A key that sends. */
  onSendingKey(field: TextControl, event: KeyboardEvent): void;
  /** The user has left the editor. The page has not heard of it. */
  onLeave(field: TextControl): void;
  /** The user wants to edit the sealed text that the field holds. */
  onOpen(field: TextControl): void;
}

/**
 * The editors of a document: one in the place of each marked field that the user has visited. The page
 * sees the focus in the field during a visit, and its value change to sealed texts.
 */
export class Editors implements EditorEvents {
  readonly openLabel: string;
  readonly #document: Document;
  readonly #editors = new Set<FieldEditor>();
  /** Sealed texts of this document, to show them as text when the page sets them again. */
  readonly #sealedTexts: SealedTexts = new Map<string, string>();
  #user: EditorsUser | undefined;
  #endListening = (): void => undefined;
  /** The field that has the focus as far as the page knows. */
  #visited: TextControl | undefined;
  /** The field that has the focus natively, for the moment until its editor has it, or its successor. */
  #passing: TextControl | undefined;
  #isWindowLeft = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #frame: number | undefined;
  #searchedAt = -Infinity;

  /** @param openLabel what the button says that opens a sealed text */
  constructor(document: Document, openLabel: string) {
    this.#document = document;
    this.openLabel = openLabel;
  }

  start(user: EditorsUser): void {
    this.#user = user;
    this.#listen('addEventListener');
    this.#endListening = onRewritten(this.#document, () => this.#listen('addEventListener'));
    this.#takeOver();
    this.#openFocused();
  }

  /** Frames whose text is newer stay: the next script finds them. */
  stop(): void {
    this.#endListening();
    this.#listen('removeEventListener');
    clearTimeout(this.#pause);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#askBeforeUnload(false);
    this.#user = undefined;
    for (const editor of this.#editors) if (!editor.isNewer) editor.remove();
    this.#editors.clear();
  }

  /** The editor in the place of a field. */
  of(field: EventTarget): FieldEditor | undefined {
    for (const editor of this.#editors) if (editor.field === field) return editor;
    return undefined;
  }

  has(field: Element): boolean {
    return this.of(field) !== undefined;
  }

  show(field: Element, text: string): void {
    this.of(field)?.show(text);
  }

  /** The field of an editor, or the one by which the page has just replaced it. */
  fieldOf(editor: FieldEditor): TextControl {
    if (!editor.field.isConnected) this.#moveAll();
    return editor.field;
  }

  /** Whether the user's text of a field is not in it yet. */
  isNewer(field: TextControl): boolean {
    const editor = this.of(field) ?? this.#moveTo(field);
    return editor?.isNewer ?? false;
  }

  /** At the caret, where a key that sends was none for the page. */
  insertLine(field: TextControl): void {
    this.of(field)?.insert('\n');
    this.onInput(field);
  }

  /** Gives fields without a mark what was typed for them, and ends their editors. */
  release(isReleased: (field: TextControl) => boolean): void {
    for (const editor of this.#editors) if (isReleased(editor.field)) this.#release(editor);
  }

  onInput(field: TextControl): void {
    this.#user?.onTyping(field);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#user?.onPause(), PAUSE_MS);
  }

  onKey(field: TextControl, event: KeyboardEvent): void {
    const { key } = event;
    if (event.isComposing) return;
    if (key === 'Tab') this.#pass(field);
    else if (key === 'Escape') forward(event, field);
    else if (isSendingKey(event, field)) this.#user?.onSendingKey(field, event);
  }

  onOpen(field: TextControl): void {
    this.#user?.onOpen(field);
  }

  onEnter(field: TextControl): void {
    if (this.#visited === field) return;
    this.#visited = field;
    field.dispatchEvent(new FocusEvent('focus', { composed: true }));
    field.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
  }

  onLeave(field: TextControl): void {
    const isVisited = this.#visited === field;
    // Where the focus goes is known only after the event.
    setTimeout(() => {
      if (this.of(field)?.hasFocus) {
        this.#user?.onPause(); // another window is in front
      } else if (isVisited) {
        if (this.#visited === field) this.#visited = undefined;
        this.#user?.onLeave(field);
      }
    });
  }

  #listen(how: 'addEventListener' | 'removeEventListener'): void {
    const window = this.#document.defaultView!;
    window[how]('pointerover', this.#onPointer, CAPTURE);
    for (const type of ['focus', 'focusin', 'blur', 'focusout'] as const) {
      window[how](type, this.#onFocus, CAPTURE);
    }
  }

  /** Opens the editor before a press, so that the press sets its caret. */
  readonly #onPointer = (event: Event): void => {
    const [target] = event.composedPath();
    if (event.isTrusted && target && 'localName' in target) this.#open(target as Element);
  };

  readonly #onFocus = (event: Event): void => {
    if (!event.isTrusted) return;
    const { type } = event;
    const [target] = event.composedPath();
    if (isEditor(target)) {
      event.stopImmediatePropagation();
    } else if (target === this.#document || target === this.#document.defaultView) {
      this.#onWindowFocus(event);
    } else if (type === 'blur' || type === 'focusout') {
      if (this.#passing) event.stopImmediatePropagation();
    } else {
      this.#onFieldFocus(event);
    }
  };

  /** To the page, an editor is a part of its document, and its window has the focus meanwhile. */
  #onWindowFocus(event: Event): void {
    // By a press, Firefox moves the focus after the event.
    const isPressed =
      this.#document.hasFocus() && this.#document.querySelector(`${EDITOR_HOST}:hover`);
    const isInEditor = isEditor(this.#document.activeElement) || isPressed !== null;
    const isHidden = event.type === 'blur' ? isInEditor || this.#passing : this.#isWindowLeft;
    if (isHidden) event.stopImmediatePropagation();
    this.#isWindowLeft = event.type === 'blur' && Boolean(isHidden);
  }

  #onFieldFocus(event: Event): void {
    const field = focusedIn(this.#document);
    if (field && field === this.#passing) event.stopImmediatePropagation();
    const editor = field && this.#open(field);
    if (!editor) return;
    const isKnown = this.#visited === editor.field;
    if (isKnown) event.stopImmediatePropagation();
    // After the second of the two events the page has heard both. A timer may come after the user's next keys.
    if (event.type !== 'focusin' || field === this.#passing) return;
    this.#enter(editor);
  }

  #enter(editor: FieldEditor): void {
    this.#visited = editor.field;
    this.#passing = editor.field;
    editor.focus();
    this.#passing = undefined;
  }

  /** Lets the browser's own Tab begin at the field. */
  #pass(field: TextControl): void {
    this.#passing = field;
    field.focus({ preventScroll: true });
    setTimeout(() => {
      this.#passing = undefined;
      this.#openFocused();
    });
  }

  #openFocused(): void {
    const field = focusedIn(this.#document);
    const editor = field && this.#open(field);
    if (editor && !editor.hasFocus) this.#enter(editor);
  }

  /** @returns the editor of a field; undefined where there is none, and none may be */
  #open(target: Element): FieldEditor | undefined {
    const open = this.of(target);
    if (open) return open;
    if (!isTextControl(target) || !this.#user?.isWanted(target) || !isWritable(target)) {
      return undefined;
    }
    const moved = this.#moveTo(target);
    if (moved) return moved;
    const editor = new FieldEditor(target, this.#sealedTexts, this);
    this.#editors.add(editor);
    this.#frame ??= requestAnimationFrame(() => this.#follow());
    return editor;
  }

  /** A text that is not sealed yet ends with its document. A listener can keep a page out of the back/forward cache. */
  #askBeforeUnload(isAsked: boolean): void {
    const window = this.#document.defaultView!;
    window[isAsked ? 'addEventListener' : 'removeEventListener']('beforeunload', preventUnload);
  }

  /** An editor whose field was replaced by this one. */
  #moveTo(field: TextControl): FieldEditor | undefined {
    for (const editor of this.#editors) {
      const name = nameOfField(editor.field);
      if (editor.field.isConnected || !name || !hasName(field, name)) continue;
      const { hasFocus } = editor;
      if (this.#visited === editor.field) this.#visited = field;
      editor.moveTo(field);
      if (hasFocus) editor.focus();
      return editor;
    }
    return undefined;
  }

  #follow(): void {
    this.#frame = undefined;
    this.#replaceFields();
    for (const editor of this.#editors) {
      editor.takeFromPage();
      editor.follow();
      const isOver = !editor.field.isConnected && !editor.isNewer && !editor.hasFocus;
      if (isOver) this.#editors.delete(editor);
      if (isOver) editor.remove();
    }
    this.#askBeforeUnload([...this.#editors].some(({ isNewer }) => isNewer));
    if (this.#editors.size > 0) this.#frame = requestAnimationFrame(() => this.#follow());
  }

  #replaceFields(): void {
    const isLost = [...this.#editors].some(({ field }) => !field.isConnected);
    if (!isLost || performance.now() - this.#searchedAt < SEARCH_MS) return;
    this.#searchedAt = performance.now();
    this.#moveAll();
  }

  #moveAll(): void {
    for (const field of textControls(this.#document)) if (!this.of(field)) this.#moveTo(field);
  }

  #release(editor: FieldEditor): void {
    const { field, text, hasFocus, isNewer } = editor;
    this.#editors.delete(editor);
    editor.remove();
    if (isNewer) setValue(field, text);
    if (this.#visited === field) this.#visited = undefined;
    if (!hasFocus) return;
    this.#passing = field;
    field.focus({ preventScroll: true });
    this.#passing = undefined;
  }

  /** The editors of a script that has ended: their texts are only in their frames. */
  #takeOver(): void {
    for (const host of this.#document.querySelectorAll(EDITOR_HOST)) {
      const frame = shadowRootOf(host)?.querySelector('iframe');
      const control = frame?.contentDocument?.querySelector<TextControl>('input, textarea');
      host.remove();
      if (!control) continue;
      const field = textControls(this.#document).find(
        (one) => JSON.stringify(nameOfField(one)) === control.dataset.field,
      );
      const editor = field && this.#open(field);
      if (editor) editor.takeOver(control.value);
    }
  }
}

const preventUnload = (event: Event): void => event.preventDefault();

const isEditor = (target: EventTarget | null | undefined): boolean =>
  (target as Element | null | undefined)?.localName === EDITOR_HOST;

/** Whether the user sees a field and can write into it, and its text may be sealed. */
const isWritable = (field: TextControl): boolean =>
  !field.readOnly && !field.matches(':disabled') && !isProtected(field) && isSeen(field);

/** A key that enters no text: pages close what is open by it. */
function forward({ key, code }: KeyboardEvent, field: TextControl): void {
  // Pages still read keyCode (UI Events, "Legacy Key & Mouse Event Attributes").
  const common = { bubbles: true, cancelable: true, composed: true, key, code, keyCode: 27 };
  for (const type of ['keydown', 'keyup']) field.dispatchEvent(new KeyboardEvent(type, common));
}
