import type { PromptAnswer, UiPrompt } from '../ui/environment/ui-client.ts';
import type { Duration } from './durations.ts';

/** What the user has chosen so far. */
export interface Choice {
  /** A key's ref, 'new' for one to be made, null for none chosen. */
  readonly key: string | null;
  readonly newKeyLabel: string;
  readonly duration: Duration;
}

export const NEW_KEY = 'new';

/** Whether the request names this origin's own key, so that there is nothing to choose. */
export const wantsAppKey = (prompt: UiPrompt): boolean => prompt.key === 'app';

/** Whether enough is chosen to allow the request. */
export function isComplete(prompt: UiPrompt, choice: Choice): boolean {
  if (wantsAppKey(prompt) || prompt.rotates) return true;
  if (choice.key === NEW_KEY) return choice.newKeyLabel.trim() !== '';
  return choice.key !== null;
}

export function allowance(prompt: UiPrompt, choice: Choice): PromptAnswer {
  const { promptId } = prompt;
  if (prompt.rotates) return { promptId, allow: true };
  const { ms, once } = choice.duration;
  const base = { promptId, allow: true, expiresInMs: ms, ...(once && { maxUses: 1 }) };
  if (wantsAppKey(prompt)) return base;
  if (!isComplete(prompt, choice)) throw new Error('a key has to be chosen first');
  if (choice.key === NEW_KEY) return { ...base, newKeyLabel: choice.newKeyLabel.trim() };
  return { ...base, ref: choice.key! };
}

export const refusal = ({ promptId }: UiPrompt): PromptAnswer => ({ promptId, allow: false });
