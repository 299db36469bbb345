import { useText } from '../../ui/environment/environment.ts';
import { FileField } from '../forms/file-field.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import type { Secret } from '../forms/use-secret.ts';

interface BackupFieldsProps {
  readonly file: ChosenFile;
  readonly secret: Secret;
  readonly onChoose: () => void;
}

/** The fields for a backup's file and its passphrase. */
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
