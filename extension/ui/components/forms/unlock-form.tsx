import type { ComponentChildren } from 'preact';
import { LockOpen } from 'lucide-preact';
import { useText } from '../../environment/environment.ts';
import { errorCode } from '../../text/error-words.ts';
import { useUnlock } from '../../hooks/use-unlock.ts';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from '../banner.tsx';
import { WithPicture } from '../install-picture.tsx';
import { PasskeyUnlock } from './passkey-unlock.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface UnlockFormProps {
  readonly onUnlocked: () => Promise<void>;
  /** What is below it, and appears with it. */
  readonly children?: ComponentChildren;
}

/** Form for the passphrase below the picture, with a button that cancels the derivation, and the passkey button. */
export function UnlockForm(props: UnlockFormProps) {
  return (
    <div class="stack">
      <WithPicture caption="pictureHint">
        <PassphraseForm {...props} />
      </WithPicture>
    </div>
  );
}

function PassphraseForm({ onUnlocked, children }: UnlockFormProps) {
  const text = useText();
  const unlock = useUnlock(onUnlocked);
  const { busy, error } = unlock.action;
  const wrong = errorCode(error) === 'AUTH_FAILED';
  const fieldError = wrong ? 'wrongPassphrase' : unlock.missing ? 'passphraseMissing' : undefined;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        unlock.submit();
      }}
    >
      <PassphraseField
        id="passphrase"
        label={text.t('passphrase')}
        autocomplete="current-password"
        value={unlock.passphrase}
        revealed={unlock.revealed}
        inputRef={unlock.input}
        error={fieldError && text.t(fieldError)}
        onReveal={unlock.setRevealed}
        onInput={unlock.setPassphrase}
      />
      {!wrong && <ErrorBanner error={error} />}
      <Button
        id="unlock"
        type="submit"
        variant="primary"
        class="wide"
        busy={busy}
        icon={<LockOpen size={18} aria-hidden="true" />}
      >
        {text.t(busy ? 'unlocking' : 'unlock')}
      </Button>
      {busy && (
        <Button id="cancel-unlock" variant="quiet" class="wide" onClick={unlock.cancel}>
          {text.t('cancel')}
        </Button>
      )}
      <PasskeyUnlock isOffered={!busy} onUnlocked={onUnlocked}>
        <details id="forgot-passphrase">
          <summary>{text.t('forgotPassphrase')}</summary>
          <p>{text.t('forgotPassphraseHelp')}</p>
        </details>
        {children}
      </PasskeyUnlock>
    </form>
  );
}
