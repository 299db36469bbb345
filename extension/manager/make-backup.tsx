import { useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { useAction } from '../ui/use-action.ts';
import { downloadBackup } from './download-backup.ts';
import { NewPassphraseFields } from '../gate/new-passphrase-fields.tsx';
import { SecretField } from './secret-field.tsx';
import { useNewPassphrase } from '../gate/use-new-passphrase.ts';
import { useSecret } from './use-secret.ts';

export function MakeBackup({ onMade }: { readonly onMade: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const passphrase = useNewPassphrase();
  const [fileName, setFileName] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    setFileName(undefined);
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const under = { passphrase: passphrase.value };
      const params = { by: { passphrase: secret.value }, under };
      const made = await secret.accepted(async () => {
        const { file } = await surface.call('ui.makeBackup', params);
        setFileName(downloadBackup(file, 'backup'));
      });
      if (!made) return;
      passphrase.clear();
      announce(text.t('backupMade'));
      await onMade();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="make-backup-title">
      <h2 id="make-backup-title">{text.t('makeBackupTitle')}</h2>
      <SecretField id="backup-current" label={text.t('currentPassphrase')} secret={secret} />
      <NewPassphraseFields
        id="backup-passphrase"
        label={text.t('backupPassphrase')}
        hint={text.t('backupPassphraseHint')}
        passphrase={passphrase}
      />
      <ErrorBanner error={action.error} />
      {fileName !== undefined && (
        <Banner tone="good" id="backup-made" title={text.t('backupMade')}>
          <p>{text.t('backupMadeDetail', fileName)}</p>
        </Banner>
      )}
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
