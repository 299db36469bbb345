import { useMemo, useRef, useState } from 'preact/hooks';
import { Dices, ShieldCheck } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { PassphraseField } from '../ui/components/passphrase-field.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment.ts';
import type { MessageKey } from '../ui/i18n.ts';
import { useAction } from '../ui/use-action.ts';
import { strengthOf } from './strength.ts';
import { StrengthMeter } from './strength-meter.tsx';
import { suggestPassphrase } from './suggest-passphrase.ts';
import { useEstimator } from './use-estimator.ts';

/** Creating the vault: what this is, a passphrase twice, and the warning that nobody can undo it. */
export function FirstRunView({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [checked, setChecked] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const { estimator, ready } = useEstimator();
  const action = useAction();
  const strength = useMemo(
    () => (estimator && passphrase ? strengthOf(estimator.guesses(passphrase)) : undefined),
    [estimator, passphrase],
  );

  const tooWeak = strength?.acceptable === false;
  const firstError: MessageKey | undefined =
    passphrase === '' ? 'passphraseMissing' : tooWeak ? 'passphraseTooWeak' : undefined;
  const secondError: MessageKey | undefined =
    again === passphrase ? undefined : 'passphrasesDiffer';

  const suggest = () => {
    if (!estimator) return;
    const words = suggestPassphrase(estimator.words, (target) => crypto.getRandomValues(target));
    setPassphrase(words);
    setAgain('');
    setRevealed(true);
    setChecked(false);
    first.current?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (action.busy) return;
    setChecked(true);
    if (firstError) first.current?.focus();
    else if (secondError) second.current?.focus();
    else action.run(create);
  };
  const create = async () => {
    // Whoever is faster than the word lists waits for them: no passphrase goes unjudged.
    const judged = strengthOf((await ready).guesses(passphrase));
    if (!judged.acceptable) {
      first.current?.focus();
      return;
    }
    const call = surface.call('ui.createVault', { passphrase });
    setPassphrase('');
    setAgain('');
    setRevealed(false);
    setChecked(false);
    await call;
    await onCreated();
  };

  return (
    <main>
      <View title={text.t('firstRunTitle')}>
        <p class="lead">{text.t('firstRunLead')}</p>
        <form class="stack" onSubmit={submit}>
          <div>
            <PassphraseField
              id="passphrase"
              label={text.t('newPassphrase')}
              autocomplete="new-password"
              value={passphrase}
              revealed={revealed}
              inputRef={first}
              hint={text.t('newPassphraseHint')}
              error={checked && firstError ? text.t(firstError) : undefined}
              onReveal={setRevealed}
              onInput={setPassphrase}
            />
            <StrengthMeter strength={strength} />
            <Button
              id="suggest"
              variant="quiet"
              unavailable={!estimator}
              icon={<Dices size={16} aria-hidden="true" />}
              onClick={suggest}
            >
              {text.t('suggestPassphrase')}
            </Button>
          </div>
          <PassphraseField
            id="passphrase-again"
            label={text.t('repeatPassphrase')}
            autocomplete="new-password"
            value={again}
            revealed={revealed}
            inputRef={second}
            error={checked && secondError ? text.t(secondError) : undefined}
            onReveal={setRevealed}
            onInput={setAgain}
          />
          <Banner tone="warning" title={text.t('noRecoveryTitle')}>
            <p>{text.t('noRecovery')}</p>
          </Banner>
          <ErrorBanner error={action.error} />
          <Button
            id="create-vault"
            type="submit"
            variant="primary"
            class="wide"
            busy={action.busy}
            icon={<ShieldCheck size={18} aria-hidden="true" />}
          >
            {text.t(action.busy ? 'creatingVault' : 'createVault')}
          </Button>
          {action.busy && <p class="hint">{text.t('creatingVaultHint')}</p>}
        </form>
      </View>
    </main>
  );
}
