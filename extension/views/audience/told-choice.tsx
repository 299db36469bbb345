import { PassphraseField } from '../../ui/components/forms/passphrase-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { StrengthMeter } from '../unlock/strength-meter.tsx';
import type { ToldPassphrase } from './use-told-passphrase.ts';

/** Below "Someone without Sealwright": what opens it, and a field for a passphrase in place of the words. */
export function ToldChoice({ told }: { readonly told: ToldPassphrase }) {
  const text = useText();
  const { isOwn, value, revealed, strength, error, input } = told;
  return (
    <div class="stack">
      <label class="check">
        <input
          type="checkbox"
          id="own-passphrase"
          checked={isOwn}
          onChange={() => told.setOwn(!isOwn)}
        />
        {text.t('sealOwnPassphrase')}
      </label>
      {isOwn ? (
        <div>
          <PassphraseField
            id="told-passphrase"
            label={text.t('passphrase')}
            hint={text.t('newPassphraseHint')}
            autocomplete="new-password"
            value={value}
            revealed={revealed}
            inputRef={input}
            error={error && text.t(error)}
            onReveal={told.setRevealed}
            onInput={told.setValue}
          />
          <StrengthMeter strength={strength} />
        </div>
      ) : (
        <p class="muted">{text.t('sealForWordsHint')}</p>
      )}
    </div>
  );
}
