import { useEffect, useState } from 'preact/hooks';
import { isRecoveryFile } from '../../../src/keys/recovery/recovery-file.ts';
import { isAge } from '../../../src/keys/ring/age.ts';
import { Banner } from '../../ui/components/banner.tsx';
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

/** More than the beginnings of files; `isAge` looks at so many, with white space before an armor. */
const START_BYTES = 256;

/** The fields for a backup's file and its passphrase. */
export function BackupFields({ file, secret, hasVault, onChoose }: BackupFieldsProps) {
  const text = useText();
  const isForIdentity = useBegins(file.shown, isAge);
  const isForFriends = useBegins(file.shown, isRecoveryFile);
  const hint = hasVault ? 'backupItsPassphraseHint' : isForIdentity && 'backupNeedsIdentity';
  return (
    <>
      <FileField id="backup-file" label={text.t('backupFile')} file={file} onChoose={onChoose} />
      {isForFriends && <Banner tone="info">{text.t('backupOfFriends')}</Banner>}
      <SecretField
        id="backup-secret"
        label={text.t('backupItsPassphrase')}
        {...(hint && { hint: text.t(hint) })}
        secret={secret}
      />
    </>
  );
}

/** Whether the file begins as one of this kind, once its beginning was read. */
function useBegins(file: File | undefined, isOne: (start: Uint8Array) => boolean): boolean {
  const [found, setFound] = useState<File>();
  useEffect(() => {
    void file
      ?.slice(0, START_BYTES)
      .arrayBuffer()
      .then((start) => isOne(new Uint8Array(start)) && setFound(file))
      // What cannot be read is said when the file is used.
      .catch(() => undefined);
  }, [file]);
  return file !== undefined && found === file;
}
