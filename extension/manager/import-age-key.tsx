import { FileKey } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useText } from '../ui/environment.ts';
import { KeyLabelField } from '../ui/key-label.tsx';
import { FileField } from './file-field.tsx';
import { SecretField } from './secret-field.tsx';
import { useImportAgeKey } from './use-import-age-key.ts';

/** Identities of age from a file, which may have a passphrase; or one that is pasted, unseen. */
export function ImportAgeKey({ onImported }: { readonly onImported: () => Promise<void> }) {
  const text = useText();
  const given = useImportAgeKey(onImported);
  return (
    <details class="card">
      <summary id="import-age-title">{text.t('importAgeTitle')}</summary>
      <form
        class="stack"
        aria-labelledby="import-age-title"
        onSubmit={(event) => {
          event.preventDefault();
          given.submit();
        }}
      >
        <p class="muted">{text.t('importAgeLead')}</p>
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
        <KeyLabelField id="import-age-label" label={given.label} />
        <ErrorBanner error={given.action.error} />
        <Button
          id="import-age-key"
          type="submit"
          busy={given.action.busy}
          icon={<FileKey size={16} aria-hidden="true" />}
        >
          {text.t('importKey')}
        </Button>
      </form>
    </details>
  );
}
