import { ShieldCheck } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { InstallPicture } from '../../ui/picture/install-picture.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { NewPassphraseFields } from './new-passphrase-fields.tsx';
import { useNewPassphrase } from './use-new-passphrase.ts';

/** Creates the vault: an introduction, the passphrase twice, and the warning that it cannot be recovered. */
export function FirstRunView({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const passphrase = useNewPassphrase();
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const call = ui.call('ui.createVault', { passphrase: passphrase.value });
      passphrase.clear();
      await call;
      await onCreated();
    });
  };
  return (
    <main>
      <View title={text.t('firstRunTitle')}>
        <p class="lead">{text.t('firstRunLead')}</p>
        <form class="stack" onSubmit={submit}>
          <NewPassphraseFields
            id="passphrase"
            label={text.t('newPassphrase')}
            hint={text.t('newPassphraseHint')}
            passphrase={passphrase}
          />
          <InstallPicture caption="pictureExplained" />
          <Banner tone="warning" title={text.t('noRecoveryTitle')}>
            <p>{text.t('noRecovery')}</p>
          </Banner>
          <ErrorBanner error={action.error} />
          <CreateButton busy={action.busy} />
        </form>
      </View>
    </main>
  );
}

function CreateButton({ busy }: { readonly busy: boolean }) {
  const { text } = useEnvironment();
  return (
    <>
      <Button
        id="create-vault"
        type="submit"
        variant="primary"
        class="wide"
        busy={busy}
        icon={<ShieldCheck size={18} aria-hidden="true" />}
      >
        {text.t(busy ? 'creatingVault' : 'createVault')}
      </Button>
      {busy && <p class="hint">{text.t('creatingVaultHint')}</p>}
    </>
  );
}
