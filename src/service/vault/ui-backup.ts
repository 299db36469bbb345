import type { Backups, BackupReport } from '../../keys/backup/backups.ts';
import { VaultError } from '../../keys/vault/errors.ts';
import type { Implementations } from '../../rpc/call.ts';
import { settleAfterUnlock, type AfterUnlockDeps } from './after-unlock.ts';
import { argumentChecked } from '../errors.ts';
import { guardAll, type GuardedSitesDeps } from '../fields/field-settings.ts';
import { callIdOf } from '../calls/journal.ts';
import type { FirstCode } from './first-code.ts';
import { createVaultOnce } from './vault-creation.ts';

interface Deps extends AfterUnlockDeps, GuardedSitesDeps {
  readonly backups: Backups;
  readonly firstCode: FirstCode;
}

type BackupMethods =
  'ui.backupTimes' | 'ui.makeBackup' | 'ui.checkBackup' | 'ui.restoreBackup' | 'ui.restoreLost';

/** Each may be repeated: a second file is as good as the first, and a merge brings nothing twice. */
export function uiBackupMethods(deps: Deps): Pick<Implementations, BackupMethods> {
  const { backups, vault } = deps;
  return {
    'ui.backupTimes': () => backups.times(),
    async 'ui.makeBackup'({ by, under }) {
      return { file: await argumentChecked(backups.make(by, under)) };
    },
    async 'ui.checkBackup'({ file, passphrase }) {
      const { state } = await vault.state();
      const reported = async () => backups.report(await backups.open(file, passphrase));
      if (state === 'lost' || state === 'absent') return surfaced(await reported());
      const checked = backups.check(file, passphrase);
      // An open vault may be damaged too; then there is nothing to compare the file with.
      return surfaced(await checked.catch((error: unknown) => whereCorrupt(error, reported)));
    },
    async 'ui.restoreBackup'({ file, passphrase }) {
      const report = surfaced(await backups.restore(file, passphrase));
      await guardAll(deps);
      return report;
    },
    async 'ui.restoreLost'({ file, passphrase, newPassphrase }, call) {
      const signal = deps.lockKeeper.untilLocked(call);
      const contents = await backups.open(file, passphrase); // before anything is made
      const how = { place: 'of-a-lost-one', signal } as const;
      await argumentChecked(createVaultOnce(deps, newPassphrase, callIdOf(call), how));
      const report = surfaced(await backups.bring(contents));
      await settleAfterUnlock(deps);
      await guardAll(deps);
      deps.firstCode.allow();
      return report;
    },
  };
}

function whereCorrupt<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  if (error instanceof VaultError && error.code === 'CORRUPT') return work();
  throw error;
}

function surfaced({ labels, ...report }: BackupReport) {
  return { ...report, labels: [...labels] };
}
