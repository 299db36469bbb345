import type { FieldName, StopReason } from '../../../src/rpc/methods/guard.ts';

/** What a guard asks of the background. Rejections are SealwrightErrors. */
export interface GuardBackground {
  /** False for a script whose extension was reloaded, updated or removed. */
  isAlive(): boolean;
  guardedFields(): Promise<readonly FieldName[]>;
  /** @returns armored text */
  seal(text: string): Promise<string>;
  formStopped(reason: StopReason): Promise<void>;
}
