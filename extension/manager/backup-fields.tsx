import { useText } from '../ui/environment.ts';
import { FileField } from './file-field.tsx';
import { SecretField } from './secret-field.tsx';
import type { ChosenFile } from './use-chosen-file.ts';
import type { Secret } from './use-secret.ts';

interface BackupFieldsProps {
  readonly file: ChosenFile;
  readonly secret: Secret;
  readonly onChoose: () => void;
}

/** A backup: its file, and what opens it. */
export function BackupFields({ file, secret, onChoose }: BackupFieldsProps) {
  const text = useText();
  return (
    <>
      <FileField id="backup-file" label={text.t('backupFile')} file={file} onChoose={onChoose} />
      <SecretField
        id="backup-secret"
        label={text.t('backupItsPassphrase')}
        hint={text.t('backupItsPassphraseHint')}
        secret={secret}
      />
    </>
  );
}
