import { Archive, FileSearch, HardDriveUpload, Replace } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { BackupFields } from './backup-fields.tsx';
import { BackupReport } from './backup-report.tsx';
import { BACKUP_FILE, useRestoreBackup } from './use-restore-backup.ts';
import type { ShownBackup } from './use-restore-backup.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret } from '../forms/use-secret.ts';

/**
 * Form that checks a backup, which changes nothing. The report says whose the backup is, and offers what can be
 * done with it.
 */
export function RestoreBackup({ onChange }: { readonly onChange: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const file = useChosenFile(BACKUP_FILE);
  const secret = useSecret();
  const look = useRestoreBackup(
    file,
    secret,
    (backup) => ui.call('ui.restoreBackup', backup),
    onChange,
  );
  const { action, shown } = look;
  return (
    <form
      class="stack card"
      aria-labelledby="use-backup-title"
      onSubmit={(event) => {
        event.preventDefault();
        look.check();
      }}
    >
      <h2 id="use-backup-title">{text.t('useBackupTitle')}</h2>
      <p class="muted">{text.t('useBackupLead')}</p>
      <BackupFields file={file} secret={secret} hasVault onChoose={look.clear} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="check-backup"
          type="submit"
          busy={action.busy}
          icon={<FileSearch size={18} aria-hidden="true" />}
        >
          {text.t('checkBackup')}
        </Button>
      </div>
      {shown && <BackupReport {...shown} />}
      {shown?.outcome === 'checked' && (
        <BackupUses
          shown={shown}
          busy={action.busy}
          onRestore={look.restore}
          onReplace={look.replace}
        />
      )}
    </form>
  );
}

/** The buttons below the report go once one of them has done its work: the focus would be lost. */
const focusCheck = (): void => document.getElementById('check-backup')?.focus();

interface BackupUsesProps {
  readonly shown: ShownBackup;
  readonly busy: boolean;
  readonly onRestore: () => void;
  readonly onReplace: (work: (shown: ShownBackup) => Promise<boolean>) => void;
}

/** What can be done with a backup that was checked. */
export function BackupUses({ shown, busy, onRestore, onReplace }: BackupUsesProps) {
  const { text } = useEnvironment();
  const replaceVault = useReplaceVault();
  const isForeign = shown.report.relation === 'foreign';
  const RestoreIcon = isForeign ? Archive : HardDriveUpload;
  return (
    <div class="actions">
      <Button
        id="restore-backup"
        variant="primary"
        busy={busy}
        icon={<RestoreIcon size={18} aria-hidden="true" />}
        onClick={() => {
          onRestore();
          focusCheck();
        }}
      >
        {text.t(isForeign ? 'restoreToArchive' : 'restoreBackup')}
      </Button>
      {isForeign && (
        <Button
          id="replace-vault"
          variant="danger"
          busy={busy}
          icon={<Replace size={18} aria-hidden="true" />}
          onClick={() => onReplace(replaceVault)}
        >
          {text.t('replaceVault')}
        </Button>
      )}
    </div>
  );
}

/** Says what is lost, asks for the vault's passphrase, and replaces the vault. */
function useReplaceVault(): (shown: ShownBackup) => Promise<boolean> {
  const { ui, text } = useEnvironment();
  const ask = useAskPassphrase();
  return async ({ backup, report: { present } }) => {
    const { keys, contacts, appKeys, persistentKeys } = present;
    const detail = (
      <>
        <p id="replace-loses">
          {text.t('replaceVaultLoses', keys, contacts, appKeys, persistentKeys)}
        </p>
        <p>{text.t('replaceVaultKeeps')}</p>
      </>
    );
    const question = { title: text.t('replaceVault'), detail, isDanger: true };
    const isDone = await ask(question, (by) => ui.call('ui.replaceVault', { by, ...backup }));
    if (isDone) focusCheck();
    return isDone;
  };
}
