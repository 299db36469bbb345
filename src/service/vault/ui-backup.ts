import type { BackupContents } from '../../keys/backup/backup-contents.ts';
import type { Backups, BackupReport } from '../../keys/backup/backups.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Implementations } from '../../rpc/call.ts';
import { settleAfterUnlock, type AfterUnlockDeps } from './after-unlock.ts';
import { argumentChecked } from '../errors.ts';
import { guardAll, guardedPatterns, type GuardedSitesDeps } from '../fields/field-settings.ts';
import { callIdOf, onceIn, OWN_PAGES, type RecordedCall } from '../calls/journal.ts';
import type { Grant } from '../grants/grant-rules.ts';
import { removeMovesIn } from '../grants/origin-moves.ts';
import type { Revoker } from '../grants/revoker.ts';
import type { FirstCode } from './first-code.ts';
import { createVaultOnce } from './vault-creation.ts';

interface Deps extends AfterUnlockDeps, GuardedSitesDeps {
  readonly backups: Backups;
  readonly firstCode: FirstCode;
  readonly slotKeeper: SlotKeeper;
  readonly revoker: Revoker;
  readonly now: () => number;
}

type BackupMethods =
  | 'ui.backupTimes'
  | 'ui.makeBackup'
  | 'ui.checkBackup'
  | 'ui.restoreBackup'
  | 'ui.replaceVault'
  | 'ui.restoreLost';

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
    async 'ui.replaceVault'({ by, file, passphrase }, call) {
      await deps.slotKeeper.check(by);
      const contents = await backups.openWithOwn(file, passphrase);
      const guarded = await guardedPatterns(deps);
      const entry = { call: callIdOf(call), at: deps.now() };
      await replaceVault(contents, entry, deps);
      await guardAll(deps, guarded);
      return {};
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

/** The keys and the permissions on them go in one commit: the vault is the old one or the new one. */
async function replaceVault(
  contents: BackupContents,
  entry: RecordedCall,
  { vault, backups, grants, revoker }: Deps,
): Promise<void> {
  const all = () => true;
  await revoker.takeBackIn(all, async () => {
    let revoked: readonly Grant[] = [];
    await vault.commit((draft) =>
      onceIn(draft, OWN_PAGES, entry, async () => {
        revoked = await grants.revokeIn(draft, all);
        await removeMovesIn(draft, all);
        await backups.replaceIn(draft, contents);
        return null;
      }),
    );
    return revoked;
  });
}

function whereCorrupt<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  if (error instanceof VaultError && error.code === 'CORRUPT') return work();
  throw error;
}

function surfaced({ labels, ...report }: BackupReport) {
  return { ...report, labels: [...labels] };
}
