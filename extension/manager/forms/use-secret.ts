import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** State of a field for a passphrase or identity. It is emptied after it was accepted. */
export interface Secret {
  readonly value: string;
  readonly revealed: boolean;
  readonly error: MessageKey | undefined;
  readonly input: RefObject<HTMLInputElement>;
  readonly setValue: (value: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  /** Shows an error if the field is empty. @returns whether something was typed */
  readonly check: () => boolean;
  /**
   * Runs work that uses the value.
   *
   * @returns false, with an error shown, if it rejects with AUTH_FAILED
   */
  readonly accepted: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Shows an error and moves the focus to the field. */
  readonly refuse: (error: MessageKey) => void;
}

/** State of one secret field. */
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
