import { FileSearch, HardDriveUpload } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { BackupFields } from './backup-fields.tsx';
import { BackupReport } from './backup-report.tsx';
import { BACKUP_FILE, useRestoreBackup } from './use-restore-backup.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useSecret } from '../forms/use-secret.ts';

/** A look at a backup, which changes nothing, and its way back into the vault. */
export function RestoreBackup({ onChange }: { readonly onChange: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const file = useChosenFile(BACKUP_FILE);
  const secret = useSecret();
  const look = useRestoreBackup(
    file,
    secret,
    (params) => ui.call('ui.restoreBackup', params),
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
      <BackupFields file={file} secret={secret} onChoose={look.clear} />
      <ErrorBanner error={action.error} />
      {shown && <BackupReport {...shown} />}
      <div class="actions">
        <Button
          id="check-backup"
          type="submit"
          busy={action.busy}
          icon={<FileSearch size={18} aria-hidden="true" />}
        >
          {text.t('checkBackup')}
        </Button>
        <Button
          id="restore-backup"
          variant="primary"
          busy={action.busy}
          icon={<HardDriveUpload size={18} aria-hidden="true" />}
          onClick={look.restore}
        >
          {text.t('restoreBackup')}
        </Button>
      </div>
    </form>
  );
}
