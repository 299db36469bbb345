import { useState } from 'preact/hooks';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { useSecret, type Secret } from '../forms/use-secret.ts';
import { download } from '../../ui/environment/download.ts';

export interface BackupMaker {
  readonly action: Action;
  /** The vault's passphrase, asked for again. */
  readonly secret: Secret;
  /** Under which the backup was saved. */
  readonly fileName: string | undefined;
  /** Forgets what was saved before. */
  readonly begin: () => void;
  /** Makes and saves it. @returns whether the passphrase was the right one */
  readonly make: (under: ParamsOf<'ui.makeBackup'>['under']) => Promise<boolean>;
}

/** A backup on its way into a file. */
export function useMakeBackup(ending: 'backup' | 'age', onMade: () => Promise<void>): BackupMaker {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const [fileName, setFileName] = useState<string>();
  const make: BackupMaker['make'] = async (under) => {
    const made = await secret.accepted(async () => {
      const by = { passphrase: secret.value };
      const { file } = await ui.call('ui.makeBackup', { by, under });
      setFileName(downloadBackup(file, ending));
    });
    if (!made) return false;
    announce(text.t('backupMade'));
    await onMade();
    return true;
  };
  return { action, secret, fileName, begin: () => setFileName(undefined), make };
}

/** Saves a backup under a name that sorts by day. @returns the name */
export function downloadBackup(
  file: Uint8Array,
  ending: 'backup' | 'age',
  now = new Date(),
): string {
  const day = now.toISOString().slice(0, 10);
  const name = `sealwright-${day}.${ending}`;
  download(name, new Blob([file.slice()], { type: 'application/octet-stream' }));
  return name;
}
