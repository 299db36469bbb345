import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { strengthOf, type Strength } from './strength.ts';
import { useEstimator } from './use-estimator.ts';

/** State of a new passphrase: typed twice, its strength, its errors. It is never stored. */
export interface NewPassphrase {
  readonly value: string;
  readonly again: string;
  readonly revealed: boolean;
  readonly strength: Strength | undefined;
  readonly errors: { readonly first?: MessageKey; readonly second?: MessageKey };
  readonly first: RefObject<HTMLInputElement>;
  readonly second: RefObject<HTMLInputElement>;
  readonly setValue: (value: string) => void;
  readonly setAgain: (value: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  /**
   * Shows errors and moves the focus to the first.
   *
   * @returns whether the passphrase is acceptable
   */
  readonly check: () => Promise<boolean>;
  readonly clear: () => void;
  /**
   * Fills the first field with random words and shows it; undefined until the word lists are
   * loaded.
   */
  readonly suggest: (() => void) | undefined;
  /** Whether the first field holds what was suggested. */
  readonly isSuggested: boolean;
}

/** State of the two fields for a new passphrase. */
export function useNewPassphrase(): NewPassphrase {
  const [value, setValue] = useState('');
  const [again, setAgain] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [checked, setChecked] = useState(false);
  const [suggested, setSuggested] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { estimator, ready } = useEstimator();
  const strength = useMemo(
    () => (estimator && value ? strengthOf(estimator.guesses(value)) : undefined),
    [estimator, value],
  );
  const errors = {
    ...(value === '' && { first: 'passphraseMissing' as const }),
    ...(strength?.acceptable === false && { first: 'passphraseTooWeak' as const }),
    ...(again !== value && { second: 'passphrasesDiffer' as const }),
  };
  const check = async () => {
    setChecked(true);
    // Waits for the word lists, so that every passphrase is checked.
    const isWeak = value === '' || !strengthOf((await ready()).guesses(value)).acceptable;
    if (isWeak) first.current?.focus();
    else if (again !== value) second.current?.focus();
    return !isWeak && again === value;
  };
  const clear = () => {
    setValue('');
    setAgain('');
    setRevealed(false);
    setChecked(false);
    setSuggested('');
  };
  const suggest =
    estimator &&
    (() => {
      clear();
      const words = suggestPassphrase(estimator.words, (target) => crypto.getRandomValues(target));
      setValue(words);
      setSuggested(words);
      setRevealed(true);
      first.current?.focus();
    });
  const shown = { value, again, revealed, strength, errors: checked ? errors : {}, first, second };
  const isSuggested = value !== '' && value === suggested;
  return { ...shown, setValue, setAgain, setRevealed, check, clear, suggest, isSuggested };
}

/** Six words of the EFF’s list (eff.org/dice) without the grim ones, more than 7,600, have 77 bits. */
const WORDS = 6;

/**
 * A passphrase of six random words, joined by hyphens.
 *
 * @param words - 1 to 65,536 words
 * @param random - fills its argument with random bits, as `crypto.getRandomValues` does
 * @throws RangeError for a list of another length
 */
export function suggestPassphrase(
  words: readonly string[],
  random: (target: Uint16Array<ArrayBuffer>) => void,
): string {
  return Array.from({ length: WORDS }, () => words[randomBelow(words.length, random)]!).join('-');
}

/**
 * A uniform number below `limit`. Values of the last, incomplete range are rejected and drawn
 * again.
 */
function randomBelow(limit: number, random: (target: Uint16Array<ArrayBuffer>) => void): number {
  if (limit < 1 || limit > 0x10000) throw new RangeError(`words: ${limit}, not 1 to 65,536`);
  const accepted = 0x10000 - (0x10000 % limit);
  const draw = new Uint16Array(1);
  do random(draw);
  while (draw[0]! >= accepted);
  return draw[0]! % limit;
}
