import { useState } from 'preact/hooks';
import { useEnvironment } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { allowance, isComplete, NEW_KEY, type Choice } from './answer.ts';
import { requestedDuration } from './durations.ts';
import { usePromptEnvironment } from './environment.ts';
import { useArming } from '../ui/hooks/use-arming.ts';

/** The state of the answer to a request. */
export interface Answer {
  readonly choice: Choice;
  /** Whether the user pressed Allow before the choices were complete. */
  readonly incomplete: boolean;
  /** Whether this window accepts acts (extension/ui/hooks/arming.ts). */
  readonly armed: boolean;
  /** Whether a press came before it did. */
  readonly wasEarly: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly change: (part: Partial<Choice>) => void;
  /** Called in the handler of the press. Sends the answer. @returns false if a choice is missing */
  readonly allow: (act: Event) => boolean;
}

/** Holds the user's choices for a request, and sends the answer that allows it. */
export function useAnswer(prompt: UiPrompt): Answer {
  const { ui } = useEnvironment();
  const { closeWindow } = usePromptEnvironment();
  const { armed, wasEarly, mayAct } = useArming();
  const { busy, error, run } = useAction();
  const [choice, setChoice] = useState<Choice>(() => firstChoice(prompt));
  const [incomplete, setIncomplete] = useState(false);
  const change = (part: Partial<Choice>) => {
    setChoice((last) => ({ ...last, ...part }));
    setIncomplete(false);
  };
  const allow = (act: Event) => {
    if (!mayAct(act)) return true;
    setIncomplete(!isComplete(prompt, choice));
    if (!isComplete(prompt, choice)) return false;
    run(async () => {
      await ui.call('ui.answerPrompt', allowance(prompt, choice));
      closeWindow();
    });
    return true;
  };
  return { choice, incomplete, armed, wasEarly, busy, error, change, allow };
}

function firstChoice(prompt: UiPrompt): Choice {
  const { key, keys, maxPerHour: perHour } = prompt;
  return {
    key: keys.length === 0 ? NEW_KEY : null,
    newKeyLabel: suggestedLabel(key),
    duration: requestedDuration(prompt),
    perHour,
  };
}

/** The name that the site suggests for a new key; empty: none. */
export const suggestedLabel = (key: UiPrompt['key']): string =>
  key === 'app' ? '' : plainText(key.label ?? '', 60);
