import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';
import { strengthOf, type Strength } from '../unlock/strength.ts';
import { useEstimator } from '../unlock/use-estimator.ts';
import { suggestPassphrase } from '../unlock/use-new-passphrase.ts';
import { recipientsOf, type Audience } from './audience.ts';

/** What a person without Sealwright is told: six random words, or a passphrase that the user types. It is never stored. */
export interface ToldPassphrase {
  /** Whether the user types one. */
  readonly isOwn: boolean;
  readonly value: string;
  readonly revealed: boolean;
  readonly strength: Strength | undefined;
  readonly error: MessageKey | undefined;
  readonly input: RefObject<HTMLInputElement>;
  readonly setOwn: (isOwn: boolean) => void;
  readonly setValue: (value: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  /**
   * What the next message is sealed with: new words for each, or what was typed.
   *
   * @returns undefined, with an error shown, if that could be guessed too quickly
   */
  readonly take: () => Promise<string | undefined>;
  /** Empties the field, after the message was sealed. */
  readonly clear: () => void;
}

/** @param isChosen whether such a person can open the message: only then are the word lists loaded */
export function useToldPassphrase(isChosen: boolean): ToldPassphrase {
  const [isOwn, setOwn] = useState(false);
  const [value, setRaw] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [error, setError] = useState<MessageKey>();
  const input = useRef<HTMLInputElement>(null);
  const { estimator, ready } = useEstimator(isChosen);
  const strength = useMemo(
    () => (estimator && value ? strengthOf(estimator.guesses(value)) : undefined),
    [estimator, value],
  );
  const setValue = (next: string) => {
    setRaw(next);
    setError(undefined);
  };
  const refuse = (why: MessageKey) => {
    setError(why);
    input.current?.focus();
  };
  const take = async () => {
    const loaded = await ready();
    if (!isOwn) return suggestPassphrase(loaded.words, (target) => crypto.getRandomValues(target));
    if (value !== '' && strengthOf(loaded.guesses(value)).acceptable) return value;
    refuse(value === '' ? 'passphraseMissing' : 'passphraseTooWeak');
    return undefined;
  };
  const clear = () => {
    setValue('');
    setRevealed(false);
  };
  const state = { isOwn, value, revealed, strength, error, input };
  return { ...state, setOwn, setValue, setRevealed, take, clear };
}

/**
 * What a sealing call takes for an audience: keys, or what the person is told.
 *
 * @returns undefined, with an error shown, if the user's passphrase could be guessed too quickly
 */
export async function sealedTo(
  audience: Audience,
  told: ToldPassphrase,
  ui: UiClient,
  text: Text,
): Promise<
  { ref?: string; contacts?: string[]; groups?: string[]; passphrase?: string } | undefined
> {
  if (audience.who !== 'words') return recipientsOf(audience, ui, text);
  const passphrase = await told.take();
  return passphrase === undefined ? undefined : { passphrase };
}
