import type { StopReason, FieldName } from '../../../src/rpc/methods/guard.ts';
import { ControlField } from '../insert/control-field.ts';
import { stableText } from '../insert/settled.ts';
import type { TextControl } from '../text-control.ts';
import { setValue } from '../insert/strategies/set-value.ts';

/** Who types on while their text is being sealed has it sealed again, this often. */
const TRIES = 5;

/** What stood in a field before, for who takes the sealing back. */
interface Replaced {
  readonly text: string;
  readonly armored: string;
}

/** Seals fields in their place. Each is sealed once at a time, whoever asks. */
export class Sealing {
  readonly #background: Pick<GuardBackground, 'seal'>;
  readonly #inProgress = new Map<TextControl, Promise<StopReason | null>>();
  readonly #replaced = new WeakMap<TextControl, Replaced>();

  constructor(background: Pick<GuardBackground, 'seal'>) {
    this.#background = background;
  }

  /** @returns why it could not be; null: it is sealed */
  seal(field: TextControl): Promise<StopReason | null> {
    const underWay = this.#inProgress.get(field);
    if (underWay) return underWay;
    const sealing = this.#seal(field).finally(() => this.#inProgress.delete(field));
    this.#inProgress.set(field, sealing);
    return sealing;
  }

  /** Puts back what a person wrote, where nothing has changed since. @returns whether it did */
  undo(field: TextControl): boolean {
    const replaced = this.#replaced.get(field);
    if (!replaced || field.value !== replaced.armored) return false;
    this.#replaced.delete(field);
    setValue(field, replaced.text);
    return true;
  }

  async #seal(field: TextControl): Promise<StopReason | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = field.value;
      const armored = await this.#background.seal(text).catch(reasonOf);
      if (typeof armored === 'object') return armored.reason;
      if (field.value === text) return this.#replace(field, { text, armored });
    }
    return 'failed';
  }

  async #replace(field: TextControl, { text, armored }: Replaced): Promise<StopReason | null> {
    const { maxLength } = field;
    if (maxLength >= 0 && armored.length > maxLength) return 'too-long';
    this.#replaced.set(field, { text, armored });
    setValue(field, armored);
    const after = await stableText(new ControlField(field), (now) => now === armored);
    if (after === armored) return null;
    // A page that made something of its own of it keeps the person's text, and nothing is sent.
    setValue(field, text);
    return 'refused';
  }
}

const REASONS: Readonly<Record<string, StopReason>> = {
  LOCKED: 'locked',
  NEEDS_KEY: 'no-key',
  INVALID_ARGUMENT: 'no-key',
  TOO_LARGE: 'too-large',
};

/** What a person is told of an error of the background. */
export function reasonOf(error: unknown): { readonly reason: StopReason } {
  const { code = '' } = error as { code?: string };
  return { reason: Object.hasOwn(REASONS, code) ? REASONS[code]! : 'failed' };
}

/** What a guard asks of the background. Rejections are SealwrightErrors. */
export interface GuardBackground {
  /** False for a script whose extension was reloaded, updated or removed. */
  isAlive(): boolean;
  guardedFields(): Promise<readonly FieldName[]>;
  /** @returns armored text */
  seal(text: string): Promise<string>;
  formStopped(reason: StopReason): Promise<void>;
}
