import { useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { Field } from '../../ui/components/forms/field.tsx';
import { PassphraseField } from '../../ui/components/forms/passphrase-field.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { SourceKind, SyncSourceFields } from './sync-source.ts';

interface SyncSourceInputsProps {
  readonly kind: SourceKind;
  readonly fields: SyncSourceFields;
  readonly error: string | undefined;
  /** The field with the secret, for the focus. */
  readonly input: RefObject<HTMLInputElement>;
  readonly onChange: (part: Partial<SyncSourceFields>) => void;
}

/** The names of the sources. */
export const SOURCE_WORDS = {
  accountKey: 'importSyncAccountKey',
  syncKey: 'importSyncKey',
  file: 'importSyncFile',
} as const;

/** The fields for one kind of source. */
export function SyncSourceInputs({ kind, fields, error, input, onChange }: SyncSourceInputsProps) {
  const text = useText();
  const [revealed, setRevealed] = useState(false);
  const label = text.t(SOURCE_WORDS[kind]);
  if (kind === 'file') {
    return (
      <Field id="import-sync-file" label={label} error={error}>
        {(attributes) => (
          <input
            {...attributes}
            ref={input}
            type="file"
            onChange={(event) => onChange({ file: event.currentTarget.files?.[0] })}
          />
        )}
      </Field>
    );
  }
  return (
    <>
      {kind === 'syncKey' && (
        <TextField
          id="import-sync-account"
          label={text.t('importSyncAccount')}
          value={fields.account}
          maxLength={320}
          onInput={(account) => onChange({ account })}
        />
      )}
      <PassphraseField
        id="import-sync-secret"
        label={label}
        autocomplete="current-password"
        value={fields.secret}
        revealed={revealed}
        error={error}
        inputRef={input}
        onReveal={setRevealed}
        onInput={(secret) => onChange({ secret })}
      />
    </>
  );
}
