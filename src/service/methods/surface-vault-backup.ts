import type { Backups } from '../../keys/backups.ts';
import type { Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';

type BackupMethods = 'ui.backupTimes' | 'ui.makeBackup' | 'ui.checkBackup' | 'ui.restoreBackup';

/** Each may be repeated: a second file is as good as the first, and a merge brings nothing twice. */
export function surfaceBackupMethods({
  backups,
}: {
  readonly backups: Backups;
}): Pick<Implementations, BackupMethods> {
  return {
    'ui.backupTimes': () => backups.times(),
    async 'ui.makeBackup'({ by, under }) {
      return { file: await argumentChecked(backups.make(by, under)) };
    },
    'ui.checkBackup': async ({ file, passphrase }) => surfaced(backups.check(file, passphrase)),
    'ui.restoreBackup': async ({ file, passphrase }) => surfaced(backups.restore(file, passphrase)),
  };
}

async function surfaced(work: ReturnType<Backups['check']>) {
  const { labels, ...report } = await work;
  return { ...report, labels: [...labels] };
}
