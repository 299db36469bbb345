import type { StopReason, FieldName } from '../../../src/rpc/methods/guard.ts';
import { ControlField } from '../insert/control-field.ts';
import { stableText } from '../insert/settled.ts';
import type { FieldEditor } from '../editor/field-editor.ts';
import type { TextControl } from '../text-control.ts';
import type { Editors } from '../editor/editors.ts';
import { dispatchInput, setValue } from '../insert/strategies/set-value.ts';

/** Attempts if the user types while the text is being sealed. */
const TRIES = 5;

/** The text before sealing, for undo. */
interface Replaced {
  readonly text: string;
  readonly armored: string;
}

/** Replaces the text of fields by sealed text. One operation at a time for each editor, or field without one. */
export class Sealing {
  readonly #background: Pick<GuardBackground, 'seal'>;
  readonly #editors: Pick<Editors, 'of' | 'fieldOf'>;
  readonly #inProgress = new Map<TextControl | FieldEditor, Promise<StopReason | null>>();
  readonly #replaced = new WeakMap<TextControl, Replaced>();

  constructor(background: Pick<GuardBackground, 'seal'>, editors: Pick<Editors, 'of' | 'fieldOf'>) {
    this.#background = background;
    this.#editors = editors;
  }

  /** @returns why it could not be sealed; null if it is sealed */
  seal(field: TextControl): Promise<StopReason | null> {
    // It goes on in another field, if a framework replaces this one.
    const editor = this.#editors.of(field);
    const what = editor ?? field;
    const underWay = this.#inProgress.get(what);
    // It may be of an earlier text.
    if (underWay) {
      return underWay.then(
        (reason) => reason ?? (editor?.isNewer ? this.seal(editor.field) : null),
      );
    }
    const sealing = this.#seal(field, editor).finally(() => this.#inProgress.delete(what));
    this.#inProgress.set(what, sealing);
    return sealing;
  }

  /** Restores the user's text if the field has not changed since. @returns whether it did */
  undo(field: TextControl): boolean {
    const replaced = this.#replaced.get(field);
    if (!replaced || field.value !== replaced.armored) return false;
    this.#replaced.delete(field);
    setValue(field, replaced.text);
    return true;
  }

  async #seal(field: TextControl, editor?: FieldEditor): Promise<StopReason | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = textOf(editor, field);
      const armored = text === '' ? '' : await this.#background.seal(text).catch(reasonOf);
      if (typeof armored === 'object') return armored.reason;
      if (textOf(editor, field) !== text) continue;
      return editor
        ? this.#refresh(editor, { text, armored })
        : this.#replace(field, { text, armored });
    }
    return 'failed';
  }

  /** The field gets the sealed text of its editor. The page gets `change` when the user leaves it. */
  async #refresh(editor: FieldEditor, { text, armored }: Replaced): Promise<StopReason | null> {
    const field = this.#editors.fieldOf(editor);
    const { maxLength, value: before } = field;
    if (maxLength >= 0 && armored.length > maxLength) return 'too-long';
    editor.noteHeld(armored, text);
    field.value = armored;
    dispatchInput(field, armored);
    const after = await stableText(new ControlField(field), (now) => now === armored);
    if (after === armored || after === '') return null;
    // The page altered it: the text stays in the editor, and nothing is submitted.
    field.value = before;
    dispatchInput(field, before);
    editor.noteRefused(before);
    return 'refused';
  }

  async #replace(field: TextControl, { text, armored }: Replaced): Promise<StopReason | null> {
    const { maxLength } = field;
    if (maxLength >= 0 && armored.length > maxLength) return 'too-long';
    this.#replaced.set(field, { text, armored });
    setValue(field, armored);
    const after = await stableText(new ControlField(field), (now) => now === armored);
    if (after === armored) return null;
    // The page changed the text: restore the user's text and submit nothing.
    setValue(field, text);
    return 'refused';
  }
}

function textOf(editor: FieldEditor | undefined, { value }: TextControl): string {
  editor?.takeFromPage();
  return editor?.text ?? value;
}

const REASONS: Readonly<Record<string, StopReason>> = {
  LOCKED: 'locked',
  NEEDS_KEY: 'no-key',
  INVALID_ARGUMENT: 'no-key',
  TOO_LARGE: 'too-large',
};

/** The reason that the user sees for an error of the background. */
export function reasonOf(error: unknown): { readonly reason: StopReason } {
  const { code = '' } = error as { code?: string };
  return { reason: Object.hasOwn(REASONS, code) ? REASONS[code]! : 'failed' };
}

/** Calls of a guard to the background. Rejections are SealwrightErrors. */
export interface GuardBackground {
  /** False if the extension was reloaded, updated or removed. */
  isAlive(): boolean;
  guardedFields(): Promise<readonly FieldName[]>;
  /** @returns armored text */
  seal(text: string): Promise<string>;
  formStopped(reason: StopReason): Promise<void>;
  /** Opens a window about the sealed text that is all that a field holds. */
  openSealed(field: TextControl): Promise<void>;
}
