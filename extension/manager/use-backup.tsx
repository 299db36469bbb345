import { useRef, useState } from 'preact/hooks';
import { FileSearch, HardDriveUpload } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Field } from '../ui/components/field.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { errorCode } from '../ui/error-words.ts';
import type { MessageKey } from '../ui/i18n.ts';
import { useAction } from '../ui/use-action.ts';
import { BackupReport, type Report } from './backup-report.tsx';
import { SecretField } from './secret-field.tsx';
import { useSecret } from './use-secret.ts';

/** src/keys reads no more; larger files are not even loaded. */
const MAX_FILE_BYTES = 16 * 2 ** 20;

/** What is wrong with the file itself, by the error's code. */
const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'backupNotOne',
  TOO_LARGE: 'backupNotOne',
  UNSUPPORTED: 'backupNewer',
};

interface Shown {
  readonly report: Report;
  readonly restored: boolean;
}

/** A look at a backup, which changes nothing, and its way back into the vault. */
export function UseBackup({ onChange }: { readonly onChange: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const chooser = useRef<HTMLInputElement>(null);
  const [fileError, setFileError] = useState<MessageKey>();
  const [shown, setShown] = useState<Shown>();

  const refuseFile = (error: MessageKey) => {
    setFileError(error);
    chooser.current?.focus();
  };
  const chosenFile = (): File | undefined => {
    const file = chooser.current?.files?.[0];
    if (!file) refuseFile('backupFileMissing');
    else if (file.size > MAX_FILE_BYTES) refuseFile('backupNotOne');
    else return file;
    return undefined;
  };
  const run = (method: 'ui.checkBackup' | 'ui.restoreBackup') => {
    const chosen = chosenFile();
    if (!chosen || !secret.check()) return;
    setShown(undefined);
    action.run(async () => {
      try {
        const file = new Uint8Array(await chosen.arrayBuffer());
        const report = await surface.call(method, { file, passphrase: secret.value });
        setShown({ report, restored: method === 'ui.restoreBackup' });
        announce(text.t(method === 'ui.restoreBackup' ? 'backupRestored' : 'backupGood'));
      } catch (error) {
        const code = errorCode(error);
        if (code === 'AUTH_FAILED') secret.refuse('backupWrongPassphrase');
        else if (Object.hasOwn(FILE_ERRORS, code)) refuseFile(FILE_ERRORS[code]!);
        else throw error;
        return;
      }
      await onChange();
    });
  };
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
      <Field id="backup-file" label={text.t('backupFile')} error={fileError && text.t(fileError)}>
        {(attributes) => (
          <input
            {...attributes}
            ref={chooser}
            type="file"
            onChange={() => {
              setFileError(undefined);
              setShown(undefined);
            }}
          />
        )}
      </Field>
      <SecretField id="backup-secret" label={text.t('backupItsPassphrase')} secret={secret} />
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
