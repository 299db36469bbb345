import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { textControls } from '../find/page-text.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isUnsealed, unsealedFields } from './always-sealed.ts';
import { hasName } from './field-name.ts';
import type { GuardBackground } from './sealing.ts';

/**
 * The marked fields of a document. Their names are in the vault. Until the background has answered,
 * every field counts as marked. While the vault is locked, only the fields that the user typed in do.
 */
export class MarkedFields {
  readonly #document: Document;
  readonly #background: Pick<GuardBackground, 'guardedFields'>;
  readonly #typedIn = new Set<TextControl>();
  #names: readonly FieldName[] | undefined;
  #isLocked = false;

  constructor(document: Document, background: Pick<GuardBackground, 'guardedFields'>) {
    this.#document = document;
    this.#background = background;
  }

  /** Marked fields whose text is not sealed. */
  unsealed(): TextControl[] {
    if (this.#names) return unsealedFields(this.#document, this.#names);
    if (!this.#isLocked) return textControls(this.#document).filter(isUnsealed);
    return [...this.#typedIn].filter((field) => field.isConnected && isUnsealed(field));
  }

  /** Whether a target is such a field. */
  isUnsealed(target: EventTarget | undefined): target is TextControl {
    if (!isControl(target) || !isUnsealed(target)) return false;
    if (!this.#names) return !this.#isLocked || this.#typedIn.has(target);
    return this.#names.some((name) => hasName(target, name));
  }

  /** Gets the names of the marked fields. @throws SealwrightError LOCKED */
  async learn(): Promise<void> {
    try {
      this.#names ??= await this.#background.guardedFields();
    } catch (error) {
      this.#isLocked = (error as { code?: string }).code === 'LOCKED';
      throw error;
    }
    this.#typedIn.clear();
  }

  noteTyping(target: EventTarget | undefined): void {
    if (!this.#names && isControl(target)) this.#typedIn.add(target);
  }
}

/** The window and the document are event targets too. */
function isControl(target: EventTarget | undefined): target is TextControl {
  return target !== undefined && 'localName' in target && isTextControl(target as Element);
}
