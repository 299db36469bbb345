import { PassphraseField } from '../../ui/components/forms/passphrase-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Secret } from './use-secret.ts';

interface SecretFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether it is the passphrase of the vault, which is asked for beside the picture. */
  readonly pictured?: boolean;
  readonly secret: Secret;
}

/** The passphrase field for a `Secret`. */
export function SecretField({ secret, ...field }: SecretFieldProps) {
  const text = useText();
  return (
    <PassphraseField
      {...field}
      autocomplete="current-password"
      value={secret.value}
      revealed={secret.revealed}
      inputRef={secret.input}
      error={secret.error && text.t(secret.error)}
      onReveal={secret.setRevealed}
      onInput={secret.setValue}
    />
  );
}
