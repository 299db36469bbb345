import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** Which files a form accepts, and the errors for others. */
export interface FileTerms {
  /** Longer files are refused without being read. */
  readonly maxBytes: number;
  readonly missing: MessageKey;
  readonly tooLarge: MessageKey;
}

/** State of a file field. */
export interface ChosenFile {
  readonly chooser: RefObject<HTMLInputElement>;
  /** The file whose name is shown. */
  readonly shown: File | undefined;
  /** To be called when the field has another file. */
  readonly changed: () => void;
  /** Puts a file into the field, as if it was chosen there. */
  readonly put: (file: File) => void;
  /** The message of the error; undefined if there is none. */
  readonly error: MessageKey | undefined;
  readonly clearError: () => void;
  /** Shows an error and moves the focus to the field. */
  readonly refuse: (error: MessageKey) => void;
  /** The file in the field, without checks. */
  readonly chosen: () => File | undefined;
  /** All files in the field, without checks. */
  readonly all: () => readonly File[];
  /** The file; undefined, with an error shown, if there is none or it is too large. */
  readonly take: () => File | undefined;
  /** Empties the field. */
  readonly clear: () => void;
}

/** State of a field for a file that the user chooses. */
export function useChosenFile({ maxBytes, missing, tooLarge }: FileTerms): ChosenFile {
  const chooser = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<MessageKey>();
  const [shown, setShown] = useState<File>();
  const refuse = (wrong: MessageKey) => {
    setError(wrong);
    chooser.current?.focus();
  };
  const all = () => [...(chooser.current?.files ?? [])];
  const chosen = () => chooser.current?.files?.[0];
  const take = () => {
    const file = chosen();
    if (!file) refuse(missing);
    else if (file.size > maxBytes) refuse(tooLarge);
    else return file;
    return undefined;
  };
  const changed = () => {
    setError(undefined);
    setShown(chosen());
  };
  const put = (file: File) => {
    const one = new DataTransfer();
    one.items.add(file);
    if (chooser.current) chooser.current.files = one.files;
    changed();
  };
  const clear = () => {
    if (chooser.current) chooser.current.value = '';
    changed();
  };
  const clearError = () => setError(undefined);
  return { chooser, shown, changed, put, error, clearError, refuse, chosen, all, take, clear };
}
