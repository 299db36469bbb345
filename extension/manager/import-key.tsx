import { useRef, useState } from 'preact/hooks';
import { FileKey } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Field } from '../ui/components/field.tsx';
import { Select } from '../ui/components/select.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { errorCode } from '../ui/error-words.ts';
import type { MessageKey } from '../ui/i18n.ts';
import { KeyLabelField, useKeyLabel } from '../ui/key-label.tsx';
import { useAction } from '../ui/use-action.ts';

/** The background takes no more characters. */
const MAX_FILE_BYTES = 16 * 1024;

const SCHEMES = [
  { value: 'RSA-PSS', label: 'PSS' },
  { value: 'RSASSA-PKCS1-v1_5', label: 'PKCS #1 v1.5' },
] as const;
type Scheme = (typeof SCHEMES)[number]['value'];

/**
 * A signing key from elsewhere. It comes as a file: what is pasted into a text field, a browser may
 * keep with the session on its disk.
 */
export function ImportKey({ onImported }: { readonly onImported: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const chooser = useRef<HTMLInputElement>(null);
  const label = useKeyLabel('import-key-label');
  const [scheme, setScheme] = useState<Scheme>('RSA-PSS');
  const [wrong, setWrong] = useState<MessageKey>();
  const submit = (event: Event) => {
    event.preventDefault();
    const [file, name] = [chooser.current?.files?.[0], label.check()];
    setWrong(file ? undefined : 'importKeyMissing');
    if (!file || name === '') return;
    action.run(async () => {
      try {
        if (file.size > MAX_FILE_BYTES) throw new RangeError('no key is so long');
        const read = { label: name, text: await file.text(), scheme };
        await surface.call('ui.importKey', read);
      } catch (error) {
        const isWrong = error instanceof RangeError || errorCode(error) === 'INVALID_ARGUMENT';
        if (!isWrong) throw error;
        setWrong('importKeyWrong');
        chooser.current?.focus();
        return;
      }
      chooser.current!.value = '';
      label.clear();
      announce(text.t('importKeyDone'));
      await onImported();
    });
  };
  return (
    <details class="card">
      <summary id="import-key-title">{text.t('importKeyTitle')}</summary>
      <form class="stack" onSubmit={submit} aria-labelledby="import-key-title">
        <p class="muted">{text.t('importKeyLead')}</p>
        <Field
          id="import-key-file"
          label={text.t('importKeyFile')}
          hint={text.t('importKeyFileHint')}
          error={wrong && text.t(wrong)}
        >
          {(attributes) => (
            <input {...attributes} ref={chooser} type="file" onChange={() => setWrong(undefined)} />
          )}
        </Field>
        <Select
          id="import-key-scheme"
          label={text.t('importKeyScheme')}
          value={scheme}
          options={SCHEMES}
          onChange={setScheme}
        />
        <KeyLabelField id="import-key-label" label={label} />
        <ErrorBanner error={action.error} />
        <Button
          id="import-key"
          type="submit"
          busy={action.busy}
          icon={<FileKey size={16} aria-hidden="true" />}
        >
          {text.t('importKey')}
        </Button>
      </form>
    </details>
  );
}
