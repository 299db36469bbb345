import { useEffect, useState } from 'preact/hooks';
import { MAX_BLOB_BYTES } from '../../../src/rpc/limits.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { download } from '../../ui/environment/download.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusAfterWork } from '../../ui/hooks/use-focus.ts';
import type { Audience } from '../../views/audience/audience.ts';
import type { AgeRecipients } from '../../views/audience/age-recipients.tsx';
import { sealedTo, type ToldPassphrase } from '../../views/audience/use-told-passphrase.ts';
import { useChosenFile, type ChosenFile } from '../forms/use-chosen-file.ts';
import { sealAge, sealFile } from './file-work.ts';
import { fileProblem, useFileWork, useShownFile, type FileWork } from './use-file-work.ts';

/** A sealed file, ready to be saved again. */
export interface SealedFile {
  readonly name: string;
  readonly blob: Blob;
  /** What a person without Sealwright opens it with; undefined for the user and for contacts. */
  readonly passphrase: string | undefined;
}

/** State of the form that seals a file. */
export interface FileSealing {
  readonly work: FileWork;
  readonly file: ChosenFile;
  readonly sealed: SealedFile | undefined;
  /** Forgets the sealed file, after another one was chosen. */
  readonly change: () => void;
  /** Seals the chosen file and saves the result. */
  readonly start: (audience: Audience, told: ToldPassphrase, age: AgeRecipients) => void;
  /** To be called when the browser begins to save the sealed file again. */
  readonly onSave: () => void;
  /** Puts a file into the form. */
  readonly offer: (file: File) => void;
}

const SEALED_FILE = {
  maxBytes: MAX_BLOB_BYTES,
  missing: 'sealFileMissing',
  tooLarge: 'sealFileTooLarge',
} as const;

/** Seals files with a key of the vault, for contacts, or both. */
export function useSealFile(): FileSealing {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const work = useFileWork();
  const file = useChosenFile(SEALED_FILE);
  const [sealed, setSealed] = useState<SealedFile>();
  const { replace, saving } = useShownFile();
  useEffect(() => {
    if (sealed) focusAfterWork(document.getElementById('save-sealed-file'), '#seal-form');
  }, [sealed]);
  const change = () => {
    replace(undefined);
    setSealed(undefined);
  };
  const start: FileSealing['start'] = (audience, told, age) => {
    const chosen = file.take();
    if (!chosen) return;
    change();
    work.run(async (hooks) => {
      try {
        const { name: plain, type } = chosen;
        const toAge = (recipients: readonly string[]) => sealAge(chosen, recipients, ui, hooks);
        const isAge = audience.who === 'age';
        const to = isAge ? {} : await sealedTo(audience, told, ui, text);
        if (!to) return;
        const finished = isAge
          ? await age.sealing(toAge)
          : await sealFile(chosen, { name: plain, type }, to, ui, hooks);
        if (!finished) return;
        replace(finished);
        saving();
        const name = `${plain}.${isAge ? 'age' : 'sealed'}`;
        download(name, finished.blob);
        setSealed({ name, blob: finished.blob, passphrase: to.passphrase });
        told.clear();
        announce(text.t('sealFileDone'));
      } catch (failure) {
        const problem = fileProblem(failure);
        if (hooks.signal.aborted || !problem) throw failure;
        file.refuse(problem);
      }
    });
  };
  const offer = (given: File) => {
    if (work.action.busy) return;
    change();
    file.put(given);
    file.chooser.current?.focus();
  };
  return { work, file, sealed, change, start, offer, onSave: saving };
}
