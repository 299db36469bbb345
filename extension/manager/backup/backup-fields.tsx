import { useEffect, useState } from 'preact/hooks';
import { isAge } from '../../../src/keys/ring/age.ts';
import { useText } from '../../ui/environment/environment.ts';
import { FileField } from '../forms/file-field.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import type { ChosenFile } from '../forms/use-chosen-file.ts';
import type { Secret } from '../forms/use-secret.ts';

interface BackupFieldsProps {
  readonly file: ChosenFile;
  readonly secret: Secret;
  /** Whether there is a vault, which may hold the identity of the backup. */
  readonly hasVault: boolean;
  readonly onChoose: () => void;
}

/** As many bytes as `isAge` looks at, with white space before an armor. */
const AGE_BYTES = 256;

/** The fields for a backup's file and its passphrase. */
export function BackupFields({ file, secret, hasVault, onChoose }: BackupFieldsProps) {
  const text = useText();
  const isForIdentity = useIsAge(file.shown);
  const hint = hasVault ? 'backupItsPassphraseHint' : isForIdentity && 'backupNeedsIdentity';
  return (
    <>
      <FileField id="backup-file" label={text.t('backupFile')} file={file} onChoose={onChoose} />
      <SecretField
        id="backup-secret"
        label={text.t('backupItsPassphrase')}
        {...(hint && { hint: text.t(hint) })}
        secret={secret}
      />
    </>
  );
}

/** Whether the file is an age file, once its beginning was read. */
function useIsAge(file: File | undefined): boolean {
  const [found, setFound] = useState<File>();
  useEffect(() => {
    void file
      ?.slice(0, AGE_BYTES)
      .arrayBuffer()
      .then((start) => isAge(new Uint8Array(start)) && setFound(file))
      // What cannot be read is said when the file is used.
      .catch(() => undefined);
  }, [file]);
  return file !== undefined && found === file;
}
