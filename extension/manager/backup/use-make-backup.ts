import { useState } from 'preact/hooks';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { download } from '../../ui/environment/download.ts';

/** State of a form that makes a backup. */
export interface BackupMaker {
  readonly action: Action;
  /** The name of the saved file; undefined if none was saved yet. */
  readonly fileName: string | undefined;
  /** Clears `fileName`, before a new backup. */
  readonly begin: () => void;
  /** Makes and saves a backup. @returns false if the user cancels */
  readonly make: (under: ParamsOf<'ui.makeBackup'>['under']) => Promise<boolean>;
}

/**
 * Makes a backup and saves it as a file.
 *
 * @param ending the extension of the file's name
 */
export function useMakeBackup(ending: 'backup' | 'age', onMade: () => Promise<void>): BackupMaker {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const ask = useAskPassphrase();
  const [fileName, setFileName] = useState<string>();
  const make: BackupMaker['make'] = async (under) => {
    let made = '';
    const succeeded = await ask({ title: text.t('makeBackup') }, async (by) => {
      const { file } = await ui.call('ui.makeBackup', { by, under });
      made = downloadBackup(file, ending);
    });
    if (!succeeded) return false;
    await onMade(); // What stands above the form changes first.
    setFileName(made);
    announce(text.t('backupMade'));
    return true;
  };
  return { action, fileName, begin: () => setFileName(undefined), make };
}

/**
 * Saves a backup among the downloads, as sealwright-YYYY-MM-DD-HHMM of the local time, so that two of one day differ.
 *
 * @returns the name of the file, into which the browser puts a number if there is such a file
 */
export function downloadBackup(
  file: Uint8Array,
  ending: 'backup' | 'age' | 'recovery',
  now = new Date(),
): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const name = `sealwright-${day}-${two(now.getHours())}${two(now.getMinutes())}.${ending}`;
  download(name, new Blob([file.slice()], { type: 'application/octet-stream' }));
  return name;
}
