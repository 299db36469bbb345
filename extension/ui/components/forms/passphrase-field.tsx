import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Eye, EyeOff } from 'lucide-preact';
import { useText } from '../../environment/environment.ts';
import { SmallPicture } from '../install-picture.tsx';
import { Field } from './field.tsx';

interface PassphraseFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Tells password managers whether to fill in or to suggest a passphrase. */
  readonly autocomplete: 'new-password' | 'current-password';
  /** Whether the picture of this installation stands beside it: where the vault's own passphrase is asked for. */
  readonly pictured?: boolean;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly revealed: boolean;
  readonly onReveal: (revealed: boolean) => void;
  readonly onInput: (value: string) => void;
  readonly inputRef: RefObject<HTMLInputElement>;
}

/**
 * A field for a passphrase, with a button that shows it and a hint while Caps Lock is on. Its attributes keep the
 * passphrase out of form history and session restore, and away from spell checkers, which may send text to a server.
 */
export function PassphraseField(props: PassphraseFieldProps) {
  const {
    value,
    autocomplete,
    pictured = false,
    revealed,
    onReveal,
    onInput,
    inputRef,
    ...field
  } = props;
  const text = useText();
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const Icon = revealed ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(attributes) => (
        <>
          <div class="pictured">
            {pictured && <SmallPicture />}
            <div class="passphrase">
              <input
                {...attributes}
                ref={inputRef}
                type={revealed ? 'text' : 'password'}
                autocomplete={autocomplete}
                autocapitalize="off"
                value={value}
                onInput={(event) => onInput(event.currentTarget.value)}
                onKeyDown={watchCapsLock}
                onKeyUp={watchCapsLock}
                onBlur={() => setCapsLock(false)}
              />
              <button
                type="button"
                class="reveal"
                aria-pressed={revealed}
                aria-label={text.t('passphraseShow')}
                title={text.t(revealed ? 'passphraseHide' : 'passphraseShow')}
                onClick={() => onReveal(!revealed)}
              >
                <Icon size={18} aria-hidden="true" />
              </button>
            </div>
          </div>
          <p class="hint caps-lock" aria-live="polite">
            {capsLock && text.t('capsLockOn')}
          </p>
        </>
      )}
    </Field>
  );
}
