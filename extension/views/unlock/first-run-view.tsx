import { useState } from 'preact/hooks';
import { ShieldCheck } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { InstallPicture } from '../../ui/picture/install-picture.tsx';
import { Progress } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { NewPassphraseFields } from './new-passphrase-fields.tsx';
import { useNewPassphrase } from './use-new-passphrase.ts';

/**
 * Creates the vault: an introduction, the passphrase twice, and the warning that it cannot be
 * recovered.
 */
export function FirstRunView({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const passphrase = useNewPassphrase();
  const [isCreating, setCreating] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const call = ui.call('ui.createVault', { passphrase: passphrase.value });
      passphrase.clear();
      setCreating(true);
      try {
        await call;
        await onCreated();
      } catch (error) {
        setCreating(false);
        throw error;
      }
    });
  };
  if (isCreating) return <Creating />;
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
          <Button
            id="create-vault"
            type="submit"
            variant="primary"
            class="wide"
            busy={action.busy}
            icon={<ShieldCheck size={18} aria-hidden="true" />}
          >
            {text.t('createVault')}
          </Button>
        </form>
      </View>
    </main>
  );
}

/** Takes the place of the form, whose fields are empty by then. */
function Creating() {
  const { text } = useEnvironment();
  return (
    <main>
      <View title={text.t('creatingVault')}>
        <div class="stack" id="creating-vault">
          <Progress label={text.t('creatingVault')} />
          <p>{text.t('creatingVaultHint')}</p>
        </div>
      </View>
    </main>
  );
}
