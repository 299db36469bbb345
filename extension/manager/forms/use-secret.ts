import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** A passphrase that is asked for again: emptied as soon as it has been handed over. */
export interface Secret {
  readonly value: string;
  readonly revealed: boolean;
  readonly error: MessageKey | undefined;
  readonly input: RefObject<HTMLInputElement>;
  readonly setValue: (value: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  /** Shows what is missing and takes the focus there. @returns whether something was typed */
  readonly check: () => boolean;
  /** Runs work that hands it over. @returns whether it was the right one; then it is emptied */
  readonly accepted: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Shows why it was not the right one and takes the focus there. */
  readonly refuse: (error: MessageKey) => void;
}

export function useSecret(): Secret {
  const [value, setRaw] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [error, setError] = useState<MessageKey>();
  const input = useRef<HTMLInputElement>(null);
  const refuse = (why: MessageKey) => {
    setError(why);
    input.current?.focus();
  };
  const setValue = (next: string) => {
    setRaw(next);
    setError(undefined);
  };
  const check = () => {
    if (value === '') refuse('passphraseMissing');
    return value !== '';
  };
  const clear = () => {
    setValue('');
    setRevealed(false);
  };
  const accepted = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (failure) {
      if (errorCode(failure) !== 'AUTH_FAILED') throw failure;
      refuse('wrongPassphrase');
      return false;
    }
    clear();
    return true;
  };
  return { value, revealed, error, input, setValue, setRevealed, check, accepted, refuse };
}
