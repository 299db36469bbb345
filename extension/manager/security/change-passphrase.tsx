import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useEffect, useState } from 'preact/hooks';
import { CHANGE_PASSPHRASE } from '../../ui/environment/manager-address.ts';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import type { UiSlot } from './slot-row.tsx';

interface ChangePassphraseProps {
  readonly slots: readonly UiSlot[];
  readonly onChange: () => Promise<void>;
}

/**
 * Form that changes the passphrase, by the current passphrase or a recovery code. It takes the focus
 * where the address names it.
 */
export function ChangePassphrase({ slots, onChange }: ChangePassphraseProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const ask = useAskPassphrase();
  const passphrase = useNewPassphrase();
  const [done, setDone] = useState(false);
  const field = passphrase.first;
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
    setDone(false);
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const title = text.t('changePassphraseTitle');
      const hint = hasConfirmedCode(slots) ? { hint: text.t('currentPassphraseHint') } : {};
      const changed = await ask({ title, ...hint, confirm: text.t('changePassphrase') }, (by) =>
        ui.call('ui.changePassphrase', { by, passphrase: passphrase.value }),
      );
      if (!changed) return;
      passphrase.clear();
      await onChange();
      setDone(true);
      announce(text.t('passphraseChanged'));
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="change-passphrase-title">
      <h2 id="change-passphrase-title">{text.t('changePassphraseTitle')}</h2>
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
