import { useRef, useState } from 'preact/hooks';
import { Download } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { BackupSaved } from './backup-saved.tsx';
import { useMakeBackup } from './use-make-backup.ts';

/** Form that makes a backup for age recipients, which are public keys. */
export function MakeAgeBackup({ onMade }: { readonly onMade: () => Promise<void> }) {
  const text = useText();
  const { action, fileName, begin, make } = useMakeBackup('age', onMade);
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const refuse = () => {
    setRefused(true);
    form.current?.querySelector<HTMLInputElement>('#age-recipients')?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const recipients = typed.split(/[\s,]+/).filter((each) => each !== '');
    if (recipients.length === 0) {
      refuse();
      return;
    }
    begin();
    action.run(async () => {
      try {
        await make({ recipients });
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
      <TextField
        id="age-recipients"
        label={text.t('ageRecipient')}
        hint={text.t('ageRecipientHint')}
        value={typed}
        error={isRefused ? text.t('ageRecipientBad') : undefined}
        onInput={(value) => {
          setTyped(value);
          setRefused(false);
        }}
      />
      <ErrorBanner error={action.error} />
      <BackupSaved id="age-backup-made" fileName={fileName} />
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
