import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { textControls } from '../find/page-text.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isUnsealed } from './always-sealed.ts';
import type { Editors } from '../editor/editors.ts';
import { hasName, nameOfField } from './field-name.ts';
import type { GuardBackground } from './sealing.ts';

/**
 * The marked fields of a document. Their names are in the vault. Until the background has answered,
 * every field counts as marked. While the vault is locked, every field counts that may hold text of the
 * user: its value differs from its default value, or text of the user was seen in a field of its name.
 */
export class MarkedFields {
  readonly #document: Document;
  readonly #background: Pick<GuardBackground, 'guardedFields'>;
  readonly #editors: Pick<Editors, 'has' | 'isNewer'>;
  /**
   * The names of fields with text of the user. Not the elements: a page can draw a field anew. Frameworks
   * set the default value together with the value, so comparing the two is not enough.
   */
  #written: readonly FieldName[] = [];
  #names: readonly FieldName[] | undefined;
  #isLocked = false;

  constructor(
    document: Document,
    background: Pick<GuardBackground, 'guardedFields'>,
    editors: Pick<Editors, 'has' | 'isNewer'>,
  ) {
    this.#editors = editors;
    this.#document = document;
    this.#background = background;
  }

  /** Marked fields whose text is not sealed. */
  unsealed(): TextControl[] {
    if (this.#names?.length === 0) return [];
    return textControls(this.#document).filter((field) => this.isUnsealed(field));
  }

  /** Whether a target is such a field. */
  isUnsealed(target: EventTarget | undefined): target is TextControl {
    return (
      isControl(target) &&
      this.#isMarked(target) &&
      (this.#editors.isNewer(target) || (isUnsealed(target) && this.#isDisplayed(target)))
    );
  }

  /** Whether a field is marked, or may be: its editor takes what the user types. */
  mayBeMarked(field: TextControl): boolean {
    return this.#names ? isNamed(field, this.#names) : nameOfField(field) !== null;
  }

  /** Gets the names of the marked fields. @throws SealwrightError LOCKED */
  async learn(): Promise<void> {
    try {
      this.#names ??= await this.#background.guardedFields();
    } catch (error) {
      this.#isLocked = (error as { code?: string }).code === 'LOCKED';
      throw error;
    }
    this.#written = [];
  }

  /** A field that the user has typed in. */
  noteTyping(target: EventTarget | undefined): void {
    if (isControl(target)) this.#note(target);
  }

  /** All text that is in the document may be the user's: the browser restored it, or this script is late. */
  noteAllText(): void {
    for (const field of textControls(this.#document)) if (isUnsealed(field)) this.#note(field);
  }

  /** A field without a name cannot be a marked one. */
  #note(field: TextControl): void {
    const name = nameOfField(field);
    if (this.#names || !name || isNamed(field, this.#written)) return;
    this.#written = [...this.#written, name];
  }

  /**
   * Editors of rich text keep their text for the form in a control that is not displayed, whatever its name is. What the
   * user has written into a control is in its editor, also when the page hides it.
   */
  #isDisplayed(field: TextControl): boolean {
    return this.#editors.has(field) || field.checkVisibility();
  }

  #isMarked(field: TextControl): boolean {
    if (this.#names) return isNamed(field, this.#names);
    const isWritten = this.#editors.isNewer(field) || isNamed(field, this.#written);
    return !this.#isLocked || isWritten || field.value !== field.defaultValue;
  }
}

const isNamed = (field: TextControl, names: readonly FieldName[]): boolean =>
  names.some((name) => hasName(field, name));

/** The window and the document are event targets too. */
function isControl(target: EventTarget | undefined): target is TextControl {
  return target !== undefined && 'localName' in target && isTextControl(target as Element);
}
