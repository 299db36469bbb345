import { FileSearch, HardDriveUpload } from 'lucide-preact';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { BackupFields } from './backup-fields.tsx';
import { BackupReport, type Report } from './backup-report.tsx';
import { BACKUP_FILE, useRestoreBackup } from './use-restore-backup.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret } from '../forms/use-secret.ts';

interface RestoreLostProps {
  readonly title: string;
  readonly lead: string;
  readonly onRestored: (report: Report) => Promise<void>;
}

/** Form that restores a backup into a new vault, before the first vault, or when the old one is lost. */
export function RestoreLost({ title, lead, onRestored }: RestoreLostProps) {
  const { ui, text } = useEnvironment();
  const file = useChosenFile(BACKUP_FILE);
  const secret = useSecret();
  const passphrase = useNewPassphrase();
  const look = useRestoreBackup(
    file,
    secret,
    async (params) => {
      if (!(await passphrase.check())) return undefined;
      return ui.call('ui.restoreLost', { ...params, newPassphrase: passphrase.value });
    },
    // A check changes nothing.
    async (report, outcome) => {
      if (outcome === 'restored') await onRestored(report);
    },
  );
  const { action, shown } = look;
  return (
    <form
      class="stack card"
      aria-labelledby="restore-lost-title"
      onSubmit={(event) => {
        event.preventDefault();
        look.restore();
      }}
    >
      <h2 id="restore-lost-title">{title}</h2>
      <p class="muted">{lead}</p>
      <BackupFields file={file} secret={secret} hasVault={false} onChoose={look.clear} />
      <NewPassphraseFields
        id="passphrase"
        label={text.t('newPassphrase')}
        hint={text.t('newPassphraseHint')}
        passphrase={passphrase}
      />
      <ErrorBanner error={action.error} />
      {shown ? <BackupReport {...shown} /> : <p id="backup-first">{text.t('backupFirst')}</p>}
      <div class="actions">
        <Button
          id="check-backup"
          busy={action.busy}
          icon={<FileSearch size={18} aria-hidden="true" />}
          onClick={look.check}
        >
          {text.t('checkBackup')}
        </Button>
        <Button
          id="restore-lost"
          type="submit"
          variant="primary"
          busy={action.busy}
          icon={<HardDriveUpload size={18} aria-hidden="true" />}
        >
          {text.t('lostRestore')}
        </Button>
      </div>
    </form>
  );
}
