import { FileKey } from 'lucide-preact';
import { useText } from '../../ui/environment/environment.ts';
import { FileField } from '../forms/file-field.tsx';
import { ImportCard } from '../forms/import-card.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import { useImportAgeKey } from './use-import-age-key.ts';

/**
 * Form that imports age identities from a file, which may have a passphrase, or from a hidden
 * field.
 */
export function ImportAgeKey({ onImported }: { readonly onImported: () => Promise<void> }) {
  const text = useText();
  const given = useImportAgeKey(onImported);
  return (
    <ImportCard
      id="import-age"
      title={text.t('importAgeTitle')}
      lead={text.t('importAgeLead')}
      label={given.label}
      action={given.action}
      icon={<FileKey size={16} aria-hidden="true" />}
      onSubmit={given.submit}
    >
      <FileField
        id="import-age-file"
        label={text.t('importAgeFile')}
        file={given.file}
        onChoose={() => void given.choose()}
      />
      {given.isEncrypted ? (
        <SecretField
          key="passphrase"
          id="import-age-passphrase"
          label={text.t('importAgePassphrase')}
          secret={given.passphrase}
        />
      ) : (
        <SecretField
          key="identity"
          id="import-age-text"
          label={text.t('importAgeText')}
          hint={text.t('importAgeTextHint')}
          secret={given.identity}
        />
      )}
    </ImportCard>
  );
}
