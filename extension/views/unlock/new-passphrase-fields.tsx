import { useLayoutEffect } from 'preact/hooks';
import { Dices } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { PassphraseField } from '../../ui/components/forms/passphrase-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { StrengthMeter } from './strength-meter.tsx';
import type { NewPassphrase } from './use-new-passphrase.ts';

interface NewPassphraseFieldsProps {
  /** Prefix of the ids of both fields. */
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly passphrase: NewPassphrase;
  /** Whether the first field has the focus when the form appears. */
  readonly takesFocus?: boolean;
}

/** Two fields for a new passphrase, its strength, and buttons that suggest one and copy it. */
export function NewPassphraseFields(props: NewPassphraseFieldsProps) {
  const { id, label, hint, passphrase, takesFocus = false } = props;
  const text = useText();
  const { errors, revealed, setRevealed } = passphrase;
  const { first } = passphrase;
  useLayoutEffect(() => {
    if (takesFocus) first.current?.focus();
  }, [first, takesFocus]);
  const common = { autocomplete: 'new-password', revealed, onReveal: setRevealed } as const;
  return (
    <>
      <div>
        <PassphraseField
          {...common}
          id={id}
          label={label}
          hint={hint}
          value={passphrase.value}
          inputRef={passphrase.first}
          error={errors.first && text.t(errors.first)}
          onInput={passphrase.setValue}
        />
        <StrengthMeter strength={passphrase.strength} />
        <div class="actions suggestion">
          <Button
            id={`${id}-suggest`}
            variant="quiet"
            unavailable={!passphrase.suggest}
            icon={<Dices size={16} aria-hidden="true" />}
            onClick={() => passphrase.suggest?.()}
          >
            {text.t('suggestPassphrase')}
          </Button>
          {passphrase.isSuggested && (
            <CopyButton value={passphrase.value} label={text.t('copyText')} />
          )}
        </div>
      </div>
      <PassphraseField
        {...common}
        id={`${id}-again`}
        label={text.t('repeatPassphrase')}
        value={passphrase.again}
        inputRef={passphrase.second}
        error={errors.second && text.t(errors.second)}
        onInput={passphrase.setAgain}
      />
    </>
  );
}
