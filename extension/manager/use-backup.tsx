import { FileSearch, HardDriveUpload } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Field } from '../ui/components/field.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { BackupReport } from './backup-report.tsx';
import { SecretField } from './secret-field.tsx';
import { useBackupLook } from './use-backup-look.ts';
import { useChosenFile } from './use-chosen-file.ts';
import { useSecret } from './use-secret.ts';

/** A look at a backup, which changes nothing, and its way back into the vault. */
export function UseBackup({ onChange }: { readonly onChange: () => Promise<void> }) {
  const { text } = useEnvironment();
  const file = useChosenFile();
  const secret = useSecret();
  const { action, shown, clear, run } = useBackupLook(file, secret, onChange);
  return (
    <form
      class="stack card"
      aria-labelledby="use-backup-title"
      onSubmit={(event) => {
        event.preventDefault();
        run('ui.checkBackup');
      }}
    >
      <h2 id="use-backup-title">{text.t('useBackupTitle')}</h2>
      <p class="muted">{text.t('useBackupLead')}</p>
      <Field id="backup-file" label={text.t('backupFile')} error={file.error && text.t(file.error)}>
        {(attributes) => (
          <input
            {...attributes}
            ref={file.chooser}
            type="file"
            onChange={() => {
              file.clearError();
              clear();
            }}
          />
        )}
      </Field>
      <SecretField
        id="backup-secret"
        label={text.t('backupItsPassphrase')}
        hint={text.t('backupItsPassphraseHint')}
        secret={secret}
      />
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
          onClick={() => run('ui.restoreBackup')}
        >
          {text.t('restoreBackup')}
        </Button>
      </div>
    </form>
  );
}
