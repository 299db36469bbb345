import { EDITOR_HOST } from '../../platform/fields/shadow-root.ts';
import { isUnsealed } from '../auto-seal/always-sealed.ts';
import { isSealedText } from '../find/sealed-runs.ts';
import { nameOfField } from '../auto-seal/field-name.ts';
import type { TextControl } from '../text-control.ts';
import { copyLook, hiddenText, placeOf, surroundingsOf, type Surroundings } from './appearance.ts';
import { EditorFrame } from './editor-frame.ts';
import { canHoldSealed, hasRoom } from './room.ts';

/** Layout around a field is read again after this time. */
const SURROUNDINGS_MS = 500;

/** Sealed texts of a document, and the user's texts that they stand for: a page may set them again. */
export type SealedTexts = Map<string, string>;

/** Values that pages set again are among the newest. */
const MAX_SEALED_TEXTS = 20;

/** A value of the field, and the user's text that it stands for. */
interface Held {
  readonly value: string;
  readonly text: string;
}

/** Events of an editor. */
export interface EditorEvents {
  onInput(field: TextControl): void;
  onKey(field: TextControl, event: KeyboardEvent): void;
  onEnter(field: TextControl): void;
  onLeave(field: TextControl): void;
  onOpen(field: TextControl): void;
  readonly openLabel: string;
}

/** The editor in the place of one field, and of those that replace it. */
export class FieldEditor {
  #field: TextControl;
  readonly #frame: EditorFrame;
  readonly #sealedTexts: SealedTexts;
  #held: Held;
  /** Kept beside the control, which is lost when the page moves or removes the frame. */
  #text: string;
  #surroundings: Surroundings;
  #lookedAt = performance.now();
  /** Hides the text of the field and no more. Unlike a style it is neither copied nor overwritten by the page. */
  #hiding: Animation | undefined;
  #looked = { text: '', isSealed: false };
  /** What the page has hidden from assistive technology; undefined while the editor hides nothing from it. */
  #ariaHidden: string | null | undefined;
  /** The value that the page knows to be complete, by a `change` event. */
  #changed: string;
  /**
   * Values of the field since its user came, sent or pressed Escape. A page that sets one of them while the user is there
   * answers late, as a server does: what was typed since is no less the user's for having been sealed meanwhile.
   */
  readonly #sinceFocus = new Set<string>();

  constructor(field: TextControl, sealedTexts: SealedTexts, events: EditorEvents) {
    this.#field = field;
    this.#sealedTexts = sealedTexts;
    const { value } = field;
    this.#text = sealedTexts.get(value) ?? value;
    this.#held = { value, text: this.#text };
    this.#changed = value;
    this.#frame = new EditorFrame(field.ownerDocument, (control, window) =>
      this.#furnish(control, window, events),
    );
    this.#surroundings = surroundingsOf(field);
    this.#attach();
    this.follow();
  }

  get field(): TextControl {
    return this.#field;
  }

  get hasFocus(): boolean {
    return this.#frame.hasFocus;
  }

  get text(): string {
    return this.#text;
  }

  /** Whether the user's text is another than that which the field stands for. */
  get isNewer(): boolean {
    this.takeFromPage();
    return this.#text !== this.#held.text;
  }

  /** Whether the page has not heard of the field's value by a `change` event. */
  get isUnannounced(): boolean {
    return this.#changed !== this.#field.value;
  }

  focus(): void {
    this.#frame.control?.focus({ preventScroll: true });
  }

  /** Replaces the selection, as typing does. */
  insert(text: string): void {
    const { control } = this.#frame;
    if (!control) return;
    control.setRangeText(text, control.selectionStart!, control.selectionEnd!, 'end');
    this.#text = control.value;
  }

  /** Shows the text for which the field's value stands, as the extension's window has opened it. */
  show(text: string): void {
    this.noteHeld(this.#field.value, text);
    this.#setText(text);
  }

  /** Before the field is set to a value, and again when the page has answered. */
  noteHeld(value: string, text: string): void {
    if (value !== '') {
      remember(this.#sealedTexts, value, text);
      this.#sinceFocus.add(value);
    }
    this.#held = { value, text };
  }

  /** The page altered the value: the user's text stays newer than what the field has now. */
  noteRefused(former: string): void {
    this.#held = { value: this.#field.value, text: this.#sealedTexts.get(former) ?? former };
  }

  /** The text of an editor of a script that has ended. */
  takeOver(text: string): void {
    for (const animation of this.#field.getAnimations()) {
      if (animation.id === EDITOR_HOST && animation !== this.#hiding) animation.cancel();
    }
    this.#ariaHidden = null;
    this.#setText(text);
  }

  noteAnnounced(): void {
    this.#changed = this.#field.value;
    this.#sinceFocus.clear();
  }

  /** Takes over a value that the page has set: by a reset, a draft, or clearing what was sent. */
  takeFromPage(): void {
    const { value } = this.#field;
    if (value === this.#held.value) return;
    const known = this.#sealedTexts.get(value);
    const isNewer = this.#text !== this.#held.text;
    this.#held = { value, text: known ?? value };
    if (this.#isLate(value)) return;
    if (!isNewer) {
      this.#setText(this.#held.text);
    } else if (known === undefined) {
      // A sealed text comes from a window of the extension, where the user wrote it.
      const isInserted = value !== '' && !isUnsealed(this.#field);
      this.#setText(isInserted ? `${this.#text} ${value}` : value);
    } // else an earlier state of this field: a framework has written back what it received
  }

  /** Goes on in the place of a field by which the page has replaced this one. */
  moveTo(field: TextControl): void {
    const isNewer = this.#text !== this.#held.text;
    const { value } = field;
    const known = this.#sealedTexts.get(value);
    const text = known ?? value;
    this.#show();
    const before = this.#ariaHidden;
    this.#tellReaders();
    this.#field = field;
    // A copy of the field has the attribute of the editor.
    if (field.ariaHidden === 'true') this.#ariaHidden = before;
    this.#held = { value, text };
    this.#changed = value;
    if (!isNewer && !this.#isLate(value)) this.#setText(text);
    this.#surroundings = surroundingsOf(field);
    this.#attach();
  }

  /** Brings the frame to where the field is now. */
  follow(): void {
    const now = performance.now();
    if (now - this.#lookedAt > SURROUNDINGS_MS) {
      this.#lookedAt = now;
      if (this.#field.isConnected) this.#surroundings = surroundingsOf(this.#field);
      this.#attach();
    } else if (!this.#frame.control) this.#attach();
    const { isConnected } = this.#field;
    const place = isConnected ? placeOf(this.#field, this.#surroundings) : null;
    this.#frame.place(place, this.#surroundings);
    this.#frame.showButton(this.#text === this.#field.value && this.#isSealed);
    // While both are empty the field shows its own placeholder.
    if (this.#text !== '' || this.#field.value !== '') this.#hide();
    else this.#show();
  }

  remove(): void {
    this.#show();
    this.#tellReaders();
    this.#frame.remove();
  }

  /** Looked at once for each text, not at each frame. */
  get #isSealed(): boolean {
    if (this.#looked.text !== this.#text) {
      this.#looked = { text: this.#text, isSealed: isSealedText(this.#text) };
    }
    return this.#looked.isSealed;
  }

  #isLate(value: string): boolean {
    return this.hasFocus && this.#sinceFocus.has(value);
  }

  #attach(): void {
    const { container, isTurned } = this.#surroundings;
    if (!container.isConnected) return;
    this.#frame.attach(container, this.#field);
    const { control } = this.#frame;
    this.#show(); // its colour is read
    if (!control) return;
    copyLook(this.#field, control, isTurned);
    this.#hideFromReaders();
  }

  #furnish(control: TextControl, window: Window, events: EditorEvents): void {
    control.value = this.#text;
    control.dataset.field = JSON.stringify(nameOfField(this.#field));
    control.addEventListener('input', () => {
      this.#text = control.value;
      events.onInput(this.#field);
    });
    control.addEventListener('beforeinput', (event) => this.#limit(event as InputEvent, control));
    control.addEventListener('keydown', (event) => {
      const { key, shiftKey } = event as KeyboardEvent;
      if (key === 'Escape') this.#sinceFocus.clear();
      const isToButton = key === 'Tab' && !shiftKey && this.#frame.focusButton();
      if (isToButton) event.preventDefault();
      else events.onKey(this.#field, event as KeyboardEvent);
    });
    control.addEventListener('focus', () => {
      control.style.outlineStyle = 'auto';
      this.#sinceFocus.clear();
      this.#sinceFocus.add(this.#field.value);
      events.onEnter(this.#field);
    });
    control.addEventListener('blur', () => {
      control.style.outlineStyle = 'none';
      events.onLeave(this.#field);
    });
    this.#frame.addButton(events.openLabel, {
      onPress: () => events.onOpen(this.#field),
      onKey: (event) => events.onKey(this.#field, event),
      onEnter: () => events.onEnter(this.#field),
      onLeave: () => events.onLeave(this.#field),
    });
    // A file that is dropped on a control replaces the page.
    for (const type of ['dragover', 'drop'] as const) {
      window.addEventListener(type, (event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
      });
    }
  }

  /** Refuses what the field could not hold once it is sealed. A composition is not interrupted. */
  #limit(event: InputEvent, control: TextControl): void {
    const { maxLength } = this.#field;
    const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    // Where no sealed text has room, what is written is not sent, and the guard says why.
    if (!canHoldSealed(maxLength) || added === '' || event.isComposing) return;
    const { value, selectionStart, selectionEnd } = control;
    const text = value.slice(0, selectionStart!) + added + value.slice(selectionEnd!);
    if (!hasRoom(maxLength, text)) event.preventDefault();
  }

  #setText(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    const { control } = this.#frame;
    if (control) control.value = text;
  }

  #hide(): void {
    const timing = { duration: 1, fill: 'both', id: EDITOR_HOST } as const;
    this.#hiding ??= this.#field.animate(hiddenText(this.#field), timing);
  }

  #show(): void {
    this.#hiding?.cancel();
    this.#hiding = undefined;
  }

  /** Assistive technology would find two fields of one name, and read out the sealed text of the page's. */
  #hideFromReaders(): void {
    if (this.#ariaHidden === undefined) this.#ariaHidden = this.#field.ariaHidden;
    if (this.#field.ariaHidden !== 'true') this.#field.ariaHidden = 'true';
  }

  #tellReaders(): void {
    if (this.#ariaHidden !== undefined) this.#field.ariaHidden = this.#ariaHidden;
    this.#ariaHidden = undefined;
  }
}

function remember(texts: SealedTexts, value: string, text: string): void {
  texts.set(value, text);
  const [oldest] = texts.keys();
  if (texts.size > MAX_SEALED_TEXTS && oldest !== undefined) texts.delete(oldest);
}
