import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { textControls } from '../find/page-text.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isUnsealed } from './always-sealed.ts';
import { hasName, nameOfField } from './field-name.ts';
import type { GuardBackground } from './sealing.ts';
import type { SiteDocuments } from './site-documents.ts';

/** Dispatched on the windows of the other documents when the user types in a field. Its detail: the field's name, as JSON. */
export const TYPED = 'sealwright-guard-typed';

/**
 * The marked fields of a site's documents. Their names are in the vault. Until the background has answered,
 * every field counts as marked. While the vault is locked, every field counts that may hold text of the
 * user: its value differs from its default value, or text of the user was seen in a field of its name.
 */
export class MarkedFields {
  readonly #site: Site;
  readonly #background: Pick<GuardBackground, 'guardedFields'>;
  /**
   * The names of fields with text of the user. Not the elements: a page can draw a field anew. Frameworks
   * set the default value together with the value, so comparing the two is not enough.
   */
  #written: readonly FieldName[] = [];
  #names: readonly FieldName[] | undefined;
  #isLocked = false;

  constructor(site: Site, background: Pick<GuardBackground, 'guardedFields'>) {
    this.#site = site;
    this.#background = background;
  }

  /** Marked fields whose text is not sealed, of all documents that a script of this one can reach. */
  unsealed(documents = this.#site.all()): TextControl[] {
    if (this.#names?.length === 0) return [];
    const fields = documents.flatMap((document) => textControls(document));
    return fields.filter((field) => this.isUnsealed(field));
  }

  /** Those of the script's own document. */
  unsealedHere(): TextControl[] {
    return this.unsealed([this.#site.own]);
  }

  /** Whether a target is such a field. */
  isUnsealed(target: EventTarget | undefined): target is TextControl {
    return isControl(target) && this.#isMarked(target) && isUnsealed(target);
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

  /** Takes the detail of a TYPED event. One that the page made holds more than is needed, until an unlock. */
  noteTypingElsewhere(detail: unknown): void {
    const name = this.#names ? null : parsedName(detail);
    if (name) this.#written = [...this.#written, name];
  }

  /** All text that is in the document may be the user's: the browser restored it, or this script is late. */
  noteAllText(): void {
    for (const field of textControls(this.#site.own)) if (isUnsealed(field)) this.#note(field);
  }

  /** A field without a name cannot be a marked one. */
  #note(field: TextControl): void {
    const name = nameOfField(field);
    if (this.#names || !name || isNamed(field, this.#written)) return;
    this.#written = [...this.#written, name];
    this.#site.tell(TYPED, JSON.stringify(name));
  }

  #isMarked(field: TextControl): boolean {
    if (this.#names) return isNamed(field, this.#names);
    return !this.#isLocked || field.value !== field.defaultValue || isNamed(field, this.#written);
  }
}

/** The documents of a site, as this module needs them. */
type Site = Pick<SiteDocuments, 'own' | 'all' | 'tell'>;

/** Fields are compared with it, and no more: that a page wrote it does no harm. */
function parsedName(detail: unknown): FieldName | null {
  try {
    const name: unknown = JSON.parse(String(detail));
    return typeof name === 'object' ? (name as FieldName | null) : null;
  } catch {
    return null;
  }
}

const isNamed = (field: TextControl, names: readonly FieldName[]): boolean =>
  names.some((name) => hasName(field, name));

/** The window and the document are event targets too. */
function isControl(target: EventTarget | undefined): target is TextControl {
  return target !== undefined && 'localName' in target && isTextControl(target as Element);
}
