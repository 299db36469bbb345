import { useState } from 'preact/hooks';
import { isAge } from '../../../src/keys/ring/age.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { OUTCOME_TITLES, type Outcome, type Report } from './backup-report.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import type { Secret } from '../forms/use-secret.ts';

/** Errors of the file, by the error's code. */
const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'backupNotOne',
  TOO_LARGE: 'backupTooCostly',
  UNSUPPORTED: 'backupNewer',
};

/** src/keys reads no longer files. */
export const BACKUP_FILE = {
  maxBytes: 16 * 2 ** 20,
  missing: 'backupFileMissing',
  tooLarge: 'backupNotOne',
} as const;

/** The file and the passphrase that opens it. */
type Backup = ParamsOf<'ui.checkBackup'>;

/** Checks or restores. @returns undefined if another field has an error */
type UseBackup = (backup: Backup) => Promise<Report | undefined>;

/** A backup that was opened, with its report. */
export interface ShownBackup {
  readonly backup: Backup;
  readonly report: Report;
  readonly outcome: Outcome;
}

/** State of a form that checks and restores backups. */
export interface BackupRestorer {
  readonly action: Action;
  readonly shown: ShownBackup | undefined;
  /** Removes the report. */
  readonly clear: () => void;
  /** Reads the backup and changes nothing. */
  readonly check: () => void;
  readonly restore: () => void;
  /** Does what replaces the vault by the backup that is shown; `work` resolves to false if the user cancels. */
  readonly replace: (work: (shown: ShownBackup) => Promise<boolean>) => void;
}

/**
 * Checks or restores a backup. Errors appear at the field that causes them.
 *
 * @param restore puts the backup's keys into the vault
 * @param onChange called after a check or restore that succeeded
 */
export function useRestoreBackup(
  file: ChosenFile,
  secret: Secret,
  restore: UseBackup,
  onChange: (report: Report, outcome: Outcome) => Promise<void>,
): BackupRestorer {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [shown, setShown] = useState<BackupRestorer['shown']>();
  const showError = (error: unknown) => {
    const code = errorCode(error);
    const isEmpty = secret.value === '';
    if (code === 'AUTH_FAILED') {
      secret.refuse(isEmpty ? 'backupNoIdentity' : 'backupWrongPassphrase');
    } else if (Object.hasOwn(FILE_ERRORS, code)) file.refuse(FILE_ERRORS[code]!);
    else throw error;
  };
  /** What stands above the form changes before the buttons below the report come. */
  const show = async (opened: ShownBackup) => {
    await onChange(opened.report, opened.outcome);
    setShown(opened);
    announce(text.t(OUTCOME_TITLES[opened.outcome]));
  };
  const run = (use: UseBackup, outcome: Outcome) => {
    const chosen = file.take();
    if (!chosen) return;
    setShown(undefined);
    action.run(async () => {
      let opened: ShownBackup;
      try {
        const bytes = new Uint8Array(await chosen.arrayBuffer());
        // An age file may be for an identity in the vault; other files need a passphrase.
        if (!isAge(bytes) && !secret.check()) return;
        const passphrase = secret.value === '' ? {} : { passphrase: secret.value };
        const backup = { file: bytes, ...passphrase };
        const report = await use(backup);
        if (!report) return;
        opened = { backup, report, outcome };
      } catch (error) {
        showError(error);
        return;
      }
      await show(opened);
    });
  };
  return {
    action,
    shown,
    clear: () => setShown(undefined),
    check: () => run((backup) => ui.call('ui.checkBackup', backup), 'checked'),
    restore: () => run(restore, 'restored'),
    replace: (work) =>
      action.run(async () => {
        if (!shown || !(await work(shown))) return;
        await show({ ...shown, outcome: 'replaced' });
      }),
  };
}
