import { Field } from '../ui/components/field.tsx';
import { useText } from '../ui/environment.ts';
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
      <Field id="backup-file" label={text.t('backupFile')} error={file.error && text.t(file.error)}>
        {(attributes) => (
          <input
            {...attributes}
            ref={file.chooser}
            type="file"
            onChange={() => {
              file.clearError();
              onChoose();
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
    </>
  );
}
