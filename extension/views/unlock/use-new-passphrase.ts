import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { strengthOf, type Strength } from './strength.ts';
import { useEstimator } from './use-estimator.ts';

/** A passphrase that is being chosen: typed twice, judged, and never kept. */
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
  /** Shows what is wrong and takes the focus there. @returns whether all is well */
  readonly check: () => Promise<boolean>;
  readonly clear: () => void;
  /** Puts random words into the first field, readable; undefined until the word lists are there. */
  readonly suggest: (() => void) | undefined;
}

export function useNewPassphrase(): NewPassphrase {
  const [value, setValue] = useState('');
  const [again, setAgain] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [checked, setChecked] = useState(false);
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
    // Whoever is faster than the word lists waits for them: no passphrase goes unjudged.
    const isWeak = value === '' || !strengthOf((await ready).guesses(value)).acceptable;
    if (isWeak) first.current?.focus();
    else if (again !== value) second.current?.focus();
    return !isWeak && again === value;
  };
  const clear = () => {
    setValue('');
    setAgain('');
    setRevealed(false);
    setChecked(false);
  };
  const suggest =
    estimator &&
    (() => {
      clear();
      setValue(suggestPassphrase(estimator.words, (target) => crypto.getRandomValues(target)));
      setRevealed(true);
      first.current?.focus();
    });
  const shown = { value, again, revealed, strength, errors: checked ? errors : {}, first, second };
  return { ...shown, setValue, setAgain, setRevealed, check, clear, suggest };
}

/** Six words of a list of 7,776 are 77 bits: EFF's advice for what must last (eff.org/dice). */
const WORDS = 6;

/**
 * A passphrase of random words, joined by hyphens.
 *
 * @param words - at most 65,536 of them
 * @param random - fills what it is given, as `crypto.getRandomValues`
 */
export function suggestPassphrase(
  words: readonly string[],
  random: (target: Uint16Array<ArrayBuffer>) => void,
): string {
  return Array.from({ length: WORDS }, () => words[randomBelow(words.length, random)]!).join('-');
}

/** Uniform: values of the last, incomplete run of `limit` are drawn again. */
function randomBelow(limit: number, random: (target: Uint16Array<ArrayBuffer>) => void): number {
  if (limit < 1 || limit > 0x10000) throw new RangeError(`words: ${limit}, not 1 to 65,536`);
  const accepted = 0x10000 - (0x10000 % limit);
  const draw = new Uint16Array(1);
  do random(draw);
  while (draw[0]! >= accepted);
  return draw[0]! % limit;
}
