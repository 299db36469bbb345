import { useRef, useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { TextField } from '../ui/components/text-field.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { errorCode } from '../ui/error-words.ts';
import { useAction } from '../ui/use-action.ts';
import { downloadBackup } from './download-backup.ts';
import { SecretField } from './secret-field.tsx';
import { useSecret } from './use-secret.ts';

/** A backup for whoever holds an age identity; a public key is all that is typed. */
export function MakeAgeBackup({ onMade }: { readonly onMade: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const form = useRef<HTMLFormElement>(null);
  const [recipients, setRecipients] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [fileName, setFileName] = useState<string>();
  const refuse = () => {
    setRefused(true);
    form.current?.querySelector<HTMLInputElement>('#age-recipients')?.focus();
  };
  const make = async (list: string[]) => {
    const params = { by: { passphrase: secret.value }, under: { recipients: list } };
    const made = await secret.accepted(async () => {
      const { file } = await surface.call('ui.makeBackup', params);
      setFileName(downloadBackup(file, 'age'));
    });
    if (!made) return;
    announce(text.t('backupMade'));
    await onMade();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    const list = recipients.split(/[\s,]+/).filter((each) => each !== '');
    if (list.length === 0) {
      refuse();
      return;
    }
    setFileName(undefined);
    action.run(async () => {
      try {
        await make(list);
      } catch (error) {
        if (errorCode(error) !== 'INVALID_ARGUMENT') throw error;
        refuse();
      }
    });
  };
  return (
    <form class="stack card" ref={form} onSubmit={submit} aria-labelledby="age-backup-title">
      <h2 id="age-backup-title">{text.t('ageBackupTitle')}</h2>
      <p class="muted">{text.t('ageBackupLead')}</p>
      <SecretField id="age-current" label={text.t('currentPassphrase')} secret={secret} />
      <TextField
        id="age-recipients"
        label={text.t('ageRecipient')}
        hint={text.t('ageRecipientHint')}
        value={recipients}
        error={isRefused ? text.t('ageRecipientBad') : undefined}
        onInput={(value) => {
          setRecipients(value);
          setRefused(false);
        }}
      />
      <ErrorBanner error={action.error} />
      {fileName !== undefined && (
        <Banner tone="good" id="age-backup-made" title={text.t('backupMade')}>
          <p>{text.t('backupMadeDetail', fileName)}</p>
        </Banner>
      )}
      <Button
        id="make-age-backup"
        type="submit"
        busy={action.busy}
        icon={<Download size={18} aria-hidden="true" />}
      >
        {text.t(action.busy ? 'backupMaking' : 'makeBackup')}
      </Button>
    </form>
  );
}
