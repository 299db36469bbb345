import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { MessageKey } from '../ui/i18n.ts';

/** src/keys reads no more; larger files are not even loaded. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

export interface ChosenFile {
  readonly chooser: RefObject<HTMLInputElement>;
  /** What is wrong with the file, if anything. */
  readonly error: MessageKey | undefined;
  readonly clearError: () => void;
  /** Says what is wrong, and puts the focus where it can be mended. */
  readonly refuse: (error: MessageKey) => void;
  /** The file; undefined, and refused, if there is none or it is too large to be a backup. */
  readonly take: () => File | undefined;
}

/** A file that the user chooses, with its error beside it. */
export function useChosenFile(): ChosenFile {
  const chooser = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<MessageKey>();
  const refuse = (wrong: MessageKey) => {
    setError(wrong);
    chooser.current?.focus();
  };
  const take = () => {
    const file = chooser.current?.files?.[0];
    if (!file) refuse('backupFileMissing');
    else if (file.size > MAX_FILE_BYTES) refuse('backupNotOne');
    else return file;
    return undefined;
  };
  return { chooser, error, clearError: () => setError(undefined), refuse, take };
}
