import { OPENING_CAPABILITIES } from '../../src/rpc/key-kinds.ts';
import type { PromptAnswer, UiPrompt } from '../ui/environment/ui-client.ts';
import type { Duration } from './durations.ts';

/** The user's choices so far. */
export interface Choice {
  /** A key's ref; NEW_KEY for a new one; null if none is chosen yet. */
  readonly key: string | null;
  readonly newKeyLabel: string;
  readonly duration: Duration;
  /** How much the site may open in an hour; null: without limit. */
  readonly perHour: number | null;
}

/** Chosen in place of a key's ref: a key that will be created. */
export const NEW_KEY = 'new';

/** Whether the request is for the site's own key, so that there is no key to choose. */
export const wantsAppKey = (prompt: UiPrompt): boolean => prompt.key === 'app';

/** Whether the request is for something that opens. */
export const mayOpen = ({ capabilities }: UiPrompt): boolean =>
  OPENING_CAPABILITIES.some((each) => capabilities.includes(each));

/** Whether the choices suffice to allow the request. */
export function isComplete(prompt: UiPrompt, choice: Choice): boolean {
  if (wantsAppKey(prompt) || prompt.rotates) return true;
  if (choice.key === NEW_KEY) return choice.newKeyLabel.trim() !== '';
  return choice.key !== null;
}

/** The answer that allows the request. @throws Error if `isComplete` is false */
export function allowance(prompt: UiPrompt, choice: Choice): PromptAnswer {
  const { promptId } = prompt;
  if (prompt.rotates) return { promptId, allow: true };
  const { ms, once } = choice.duration;
  const { perHour } = choice;
  const limits = { ...(once && { maxUses: 1 }), ...(perHour !== null && { maxPerHour: perHour }) };
  const base = { promptId, allow: true, expiresInMs: ms, ...limits };
  if (wantsAppKey(prompt)) return base;
  if (!isComplete(prompt, choice)) throw new Error('a key has to be chosen first');
  if (choice.key === NEW_KEY) return { ...base, newKeyLabel: choice.newKeyLabel.trim() };
  return { ...base, ref: choice.key! };
}

/** The answer that denies the request. */
export const refusal = ({ promptId }: UiPrompt): PromptAnswer => ({ promptId, allow: false });
