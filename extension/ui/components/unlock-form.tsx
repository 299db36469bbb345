import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LockOpen } from 'lucide-preact';
import { useEnvironment } from '../environment.ts';
import { errorCode } from '../error-words.ts';
import { useAction } from '../use-action.ts';
import { Button } from './button.tsx';
import { ErrorBanner } from './error-banner.tsx';
import { PasskeyUnlock } from './passkey-unlock.tsx';
import { InstallPicture } from './install-picture.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface UnlockFormProps {
  readonly onUnlocked: () => Promise<void>;
}

/** Asks for the passphrase. The field is emptied as soon as the passphrase has been handed over. */
export function UnlockForm({ onUnlocked }: UnlockFormProps) {
  const { surface, text } = useEnvironment();
  const [passphrase, setPassphrase] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [missing, setMissing] = useState(false);
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  const wrong = errorCode(action.error) === 'AUTH_FAILED';

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (action.error !== undefined) input.current?.focus();
  }, [action.error]);

  const submit = (event: Event) => {
    event.preventDefault();
    if (action.busy) return;
    setMissing(passphrase === '');
    if (passphrase === '') {
      input.current?.focus();
      return;
    }
    action.run(async () => {
      const call = surface.call('ui.unlock', { passphrase });
      setPassphrase('');
      setRevealed(false);
      await call;
      await onUnlocked();
    });
  };
  const fieldError = wrong ? 'wrongPassphrase' : missing ? 'passphraseMissing' : undefined;
  return (
    <form class="stack" onSubmit={submit}>
      <InstallPicture says="pictureHint" />
      <PassphraseField
        id="passphrase"
        label={text.t('passphrase')}
        autocomplete="current-password"
        value={passphrase}
        revealed={revealed}
        inputRef={input}
        error={fieldError && text.t(fieldError)}
        onReveal={setRevealed}
        onInput={(value) => {
          setPassphrase(value);
          setMissing(false);
          if (action.error !== undefined) action.clear();
        }}
      />
      {!wrong && <ErrorBanner error={action.error} />}
      <Button
        id="unlock"
        type="submit"
        variant="primary"
        class="wide"
        busy={action.busy}
        icon={<LockOpen size={18} aria-hidden="true" />}
      >
        {text.t(action.busy ? 'unlocking' : 'unlock')}
      </Button>
      <PasskeyUnlock onUnlocked={onUnlocked} />
    </form>
  );
}
