import { useRef, useState } from 'preact/hooks';
import { MAX_FILE_BYTES, type OpenedFile } from '../../../src/rpc/methods/ui-files.ts';
import { sealedRuns } from '../../fields/find/sealed-runs.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { useChosenFile, type ChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret, type Secret } from '../forms/use-secret.ts';

/** What was opened, and the name of its file; empty for pasted text. */
export interface Opened {
  readonly file: OpenedFile;
  readonly name: string;
}

export interface FileOpening {
  readonly action: Action;
  readonly file: ChosenFile;
  readonly text: string;
  readonly secret: Secret;
  readonly opened: Opened | undefined;
  readonly setText: (text: string) => void;
  /** What is to be opened is another now. */
  readonly change: () => void;
  readonly submit: () => void;
  /** Stops a derivation in the middle. */
  readonly cancel: () => void;
}

/** What is wrong with the file or the text, by the error's code. */
const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'openFileUnknown',
  UNSUPPORTED: 'openFileUnsupported',
  TOO_LARGE: 'openFileTooLarge',
};

const OPENED_FILE = {
  maxBytes: MAX_FILE_BYTES,
  missing: 'openFileMissing',
  tooLarge: 'openFileTooLarge',
} as const;

/** An encrypted file, or its text, on its way to the background and back. */
export function useOpenFile(): FileOpening {
  const { ui, text: words } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const file = useChosenFile(OPENED_FILE);
  const secret = useSecret();
  const [text, setRaw] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const cancellation = useRef<AbortController>();
  const change = () => {
    file.clearError();
    setOpened(undefined);
  };
  const blame = (failure: unknown) => {
    const code = errorCode(failure);
    const wasTyped = secret.value !== '';
    if (code === 'NEEDS_KEY') secret.refuse('openFileNeedsKey');
    else if (code === 'AUTH_FAILED' && wasTyped) secret.refuse('openFileWrong');
    else if (code === 'AUTH_FAILED') file.refuse('openFileChanged');
    else if (Object.hasOwn(FILE_ERRORS, code)) file.refuse(FILE_ERRORS[code]!);
    else throw failure;
  };
  const open = async (chosen: File | undefined, signal: AbortSignal) => {
    const bytes = await contentsOf(chosen, text);
    const passphrase = secret.value === '' ? {} : { passphrase: secret.value };
    const answer = await ui.call('ui.openFile', { file: bytes, ...passphrase }, signal);
    setOpened({ file: answer, name: chosen?.name ?? '' });
    secret.setValue('');
    secret.setRevealed(false);
    announce(words.t('openedTitle'));
  };
  const submit = () => {
    if (action.busy) return;
    change();
    const isPasted = text.trim() !== '';
    const chosen = isPasted ? undefined : file.take();
    if (!isPasted && !chosen) return;
    const controller = new AbortController();
    cancellation.current = controller;
    const { signal } = controller;
    action.run(async () => {
      try {
        await open(chosen, signal);
      } catch (failure) {
        if (!signal.aborted) blame(failure);
      }
    });
  };
  const setText = (next: string) => {
    setRaw(next);
    change();
  };
  const cancel = () => cancellation.current?.abort();
  return { action, file, text, secret, opened, setText, change, submit, cancel };
}

/** Sealed text is sent without what stands around it: a mail's marks of quotation, a greeting. */
async function contentsOf(file: File | undefined, text: string): Promise<Uint8Array> {
  const bytes = file ? new Uint8Array(await file.arrayBuffer()) : utf8Bytes(text.trim());
  const [run] = sealedRuns(new TextDecoder().decode(bytes));
  return run ? utf8Bytes(run.pieces.join('\n')) : bytes;
}
