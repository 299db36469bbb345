import { PassphraseField } from '../../ui/components/forms/passphrase-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { SmallPicture } from '../../ui/picture/install-picture.tsx';
import type { Secret } from './use-secret.ts';

interface SecretFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret: Secret;
}

/** The passphrase field for a `Secret`, with the picture by which users know our own forms. */
export function SecretField({ secret, ...field }: SecretFieldProps) {
  const text = useText();
  return (
    <PassphraseField
      {...field}
      autocomplete="current-password"
      picture={<SmallPicture />}
      value={secret.value}
      revealed={secret.revealed}
      inputRef={secret.input}
      error={secret.error && text.t(secret.error)}
      onReveal={secret.setRevealed}
      onInput={secret.setValue}
    />
  );
}
