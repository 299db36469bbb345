import { Download } from 'lucide-preact';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { BackupSaved } from './backup-saved.tsx';
import { useMakeBackup } from './use-make-backup.ts';

interface MakeBackupProps {
  /** Whether there is none yet. */
  readonly isDue: boolean;
  readonly onMade: () => Promise<void>;
}

/** Form that makes a backup with a passphrase of its own. */
export function MakeBackup({ isDue, onMade }: MakeBackupProps) {
  const text = useText();
  const passphrase = useNewPassphrase();
  const { action, fileName, begin, make } = useMakeBackup('backup', onMade);
  const submit = (event: Event) => {
    event.preventDefault();
    begin();
    action.run(async () => {
      if (!(await passphrase.check())) return;
      if (await make({ passphrase: passphrase.value })) passphrase.clear();
    });
  };
  return (
    <form
      class={isDue ? 'stack card card-due' : 'stack card'}
      onSubmit={submit}
      aria-labelledby="make-backup-title"
    >
      <h2 id="make-backup-title">{text.t('makeBackupTitle')}</h2>
      <NewPassphraseFields
        id="backup-passphrase"
        label={text.t('backupPassphrase')}
        hint={text.t('backupPassphraseHint')}
        passphrase={passphrase}
      />
      <ErrorBanner error={action.error} />
      <BackupSaved id="backup-made" fileName={fileName} />
      <Button
        id="make-backup"
        type="submit"
        variant="primary"
        busy={action.busy}
        icon={<Download size={18} aria-hidden="true" />}
      >
        {text.t(action.busy ? 'backupMaking' : 'makeBackup')}
      </Button>
    </form>
  );
}
