import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useState } from 'preact/hooks';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import { useSecret } from '../forms/use-secret.ts';

/** A new passphrase, after the present one, or a recovery code where that is forgotten. */
export function ChangePassphrase({ onChange }: { readonly onChange: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const passphrase = useNewPassphrase();
  const [done, setDone] = useState(false);
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
        hint={text.t('currentPassphraseHint')}
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
