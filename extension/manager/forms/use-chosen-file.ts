import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** Which files a form takes, and what it says of others. */
export interface FileTerms {
  /** What is longer is not even loaded. */
  readonly maxBytes: number;
  readonly missing: MessageKey;
  readonly tooLarge: MessageKey;
}

export interface ChosenFile {
  readonly chooser: RefObject<HTMLInputElement>;
  /** What is wrong with the file, if anything. */
  readonly error: MessageKey | undefined;
  readonly clearError: () => void;
  /** Says what is wrong, and puts the focus where it can be mended. */
  readonly refuse: (error: MessageKey) => void;
  /** The file in the field, whatever it is. */
  readonly chosen: () => File | undefined;
  /** The file; undefined, and refused, if there is none or it is too large. */
  readonly take: () => File | undefined;
  /** Empties the field. */
  readonly clear: () => void;
}

/** A file that the user chooses, with its error beside it. */
export function useChosenFile({ maxBytes, missing, tooLarge }: FileTerms): ChosenFile {
  const chooser = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<MessageKey>();
  const refuse = (wrong: MessageKey) => {
    setError(wrong);
    chooser.current?.focus();
  };
  const chosen = () => chooser.current?.files?.[0];
  const take = () => {
    const file = chosen();
    if (!file) refuse(missing);
    else if (file.size > maxBytes) refuse(tooLarge);
    else return file;
    return undefined;
  };
  const clear = () => {
    if (chooser.current) chooser.current.value = '';
  };
  return { chooser, error, clearError: () => setError(undefined), refuse, chosen, take, clear };
}
