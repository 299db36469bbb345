import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useEffect, useState } from 'preact/hooks';
import { CHANGE_PASSPHRASE } from '../../ui/environment/manager-address.ts';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import type { UiSlot } from './slot-row.tsx';
import { useSecret } from '../forms/use-secret.ts';

interface ChangePassphraseProps {
  readonly slots: readonly UiSlot[];
  readonly onChange: () => Promise<void>;
}

/**
 * Form that changes the passphrase, with the current passphrase or a recovery code. It takes the
 * focus where the address names it.
 */
export function ChangePassphrase({ slots, onChange }: ChangePassphraseProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const passphrase = useNewPassphrase();
  const [done, setDone] = useState(false);
  const hasCode = slots.some(({ kind }) => kind === 'recovery-code');
  const field = secret.input;
  useEffect(() => {
    const follow = () => {
      if (location.hash === `#${CHANGE_PASSPHRASE}`) field.current?.focus();
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [field]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    setDone(false);
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const by = { passphrase: secret.value };
      const changed = await secret.accepted(async () => {
        await ui.call('ui.changePassphrase', { by, passphrase: passphrase.value });
      });
      if (!changed) return;
      passphrase.clear();
      setDone(true);
      announce(text.t('passphraseChanged'));
      await onChange();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="change-passphrase-title">
      <h2 id="change-passphrase-title">{text.t('changePassphraseTitle')}</h2>
      <SecretField
        id="current-passphrase"
        label={text.t('currentPassphrase')}
        {...(hasCode && { hint: text.t('currentPassphraseHint') })}
        secret={secret}
      />
      <NewPassphraseFields
        id="new-passphrase"
        label={text.t('newPassphrase')}
        hint={text.t('newPassphraseHint')}
        passphrase={passphrase}
      />
      <ErrorBanner error={action.error} />
      {done && (
        <Banner tone="good" id="passphrase-changed" title={text.t('passphraseChanged')}>
          <p>{text.t('passphraseChangedDetail')}</p>
        </Banner>
      )}
      <Button id="change-passphrase" type="submit" variant="primary" busy={action.busy}>
        {text.t('changePassphrase')}
      </Button>
    </form>
  );
}
