import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isUnsealed, unsealedFields } from './always-sealed.ts';
import { hasName } from './field-name.ts';
import type { GuardBackground } from './sealing.ts';

/**
 * The marked fields of a document. Which they are lies in the vault: until it has been open once, every
 * field that a person typed in may be one.
 */
export class MarkedFields {
  readonly #document: Document;
  readonly #background: Pick<GuardBackground, 'guardedFields'>;
  readonly #typedIn = new Set<TextControl>();
  #names: readonly FieldName[] | undefined;

  constructor(document: Document, background: Pick<GuardBackground, 'guardedFields'>) {
    this.#document = document;
    this.#background = background;
  }

  /** Those whose text is not sealed. */
  unsealed(): TextControl[] {
    if (this.#names) return unsealedFields(this.#document, this.#names);
    return [...this.#typedIn].filter((field) => field.isConnected && isUnsealed(field));
  }

  /** Whether this is one of them. */
  isUnsealed(target: EventTarget | undefined): target is TextControl {
    if (!isControl(target) || !isUnsealed(target)) return false;
    if (!this.#names) return this.#typedIn.has(target);
    return this.#names.some((name) => hasName(target, name));
  }

  /** @throws SealwrightError LOCKED */
  async learn(): Promise<void> {
    this.#names ??= await this.#background.guardedFields();
    this.#typedIn.clear();
  }

  noteTyping(target: EventTarget | undefined): void {
    if (!this.#names && isControl(target)) this.#typedIn.add(target);
  }
}

/** Of the window and the document there are events too. */
function isControl(target: EventTarget | undefined): target is TextControl {
  return target !== undefined && 'localName' in target && isTextControl(target as Element);
}
