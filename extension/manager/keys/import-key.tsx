import { useState } from 'preact/hooks';
import { FileKey } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { useKeyLabel } from '../../ui/components/forms/key-label.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { FileField } from '../forms/file-field.tsx';
import { ImportCard } from '../forms/import-card.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';

/** The background refuses longer files. */
const KEY_FILE = {
  maxBytes: 16 * 1024,
  missing: 'importKeyMissing',
  tooLarge: 'importKeyWrong',
} as const;

const SCHEMES = [
  { value: 'RSA-PSS', label: 'PSS' },
  { value: 'RSASSA-PKCS1-v1_5', label: 'PKCS #1 v1.5' },
] as const;
type Scheme = (typeof SCHEMES)[number]['value'];

/**
 * Form that imports a signing key from a file. It has no text field, because a browser may store
 * its contents on disk with the session.
 */
export function ImportKey({ onImported }: { readonly onImported: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const file = useChosenFile(KEY_FILE);
  const label = useKeyLabel('import-key-label');
  const [scheme, setScheme] = useState<Scheme>('RSA-PSS');
  const submit = () => {
    file.clearError();
    const [name, chosen] = [label.check(), file.take()];
    if (!chosen || name === '') return;
    action.run(async () => {
      try {
        const read = { label: name, text: await chosen.text(), scheme };
        await ui.call('ui.importKey', read);
      } catch (error) {
        if (errorCode(error) !== 'INVALID_ARGUMENT') throw error;
        file.refuse('importKeyWrong');
        return;
      }
      file.clear();
      label.clear();
      announce(text.t('importKeyDone'));
      await onImported();
    });
  };
  return (
    <ImportCard
      id="import-key"
      title={text.t('importKeyTitle')}
      lead={text.t('importKeyLead')}
      label={label}
      action={action}
      icon={<FileKey size={16} aria-hidden="true" />}
      onSubmit={submit}
    >
      <FileField
        id="import-key-file"
        label={text.t('importKeyFile')}
        hint={text.t('importKeyFileHint')}
        file={file}
      />
      <Select
        id="import-key-scheme"
        label={text.t('importKeyScheme')}
        value={scheme}
        options={SCHEMES}
        onChange={setScheme}
      />
    </ImportCard>
  );
}
