import { useState } from 'preact/hooks';
import { HardDriveUpload, MonitorSmartphone, ShieldCheck } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Progress } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { WithPicture } from '../../ui/components/install-picture.tsx';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';

interface PassphraseStepProps {
  readonly onCreated: () => Promise<void>;
  /** Shows the form that restores a backup. */
  readonly onRestore: () => void;
  /** Shows the form that takes the keys of other devices. */
  readonly onDevices: () => void;
}

/** Creates the vault: the picture, the passphrase twice, and the warning that it cannot be reset. */
export function PassphraseStep({ onCreated, onRestore, onDevices }: PassphraseStepProps) {
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
    <View title={text.t('firstRunTitle')} focusHeading={false}>
      <p class="lead">{text.t('firstRunLead')}</p>
      <form class="welcome-form" onSubmit={submit}>
        <WithPicture caption="pictureExplained" isHero>
          <div class="stack">
            <NewPassphraseFields
              id="passphrase"
              label={text.t('newPassphrase')}
              hint={text.t('newPassphraseHint')}
              passphrase={passphrase}
              takesFocus
            />
            <Banner tone="warning">
              <p>{text.t('noReset')}</p>
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
            <Button
              id="have-backup"
              variant="quiet"
              icon={<HardDriveUpload size={16} aria-hidden="true" />}
              onClick={onRestore}
            >
              {text.t('haveBackup')}
            </Button>
            <Button
              id="have-device"
              variant="quiet"
              icon={<MonitorSmartphone size={16} aria-hidden="true" />}
              onClick={onDevices}
            >
              {text.t('haveDevice')}
            </Button>
          </div>
        </WithPicture>
      </form>
    </View>
  );
}

/** Takes the place of the form, whose fields are empty by then. */
function Creating() {
  const { text } = useEnvironment();
  return (
    <View title={text.t('creatingVault')}>
      <div class="stack" id="creating-vault">
        <Progress label={text.t('creatingVault')} stamps />
        <p>{text.t('creatingVaultHint')}</p>
      </div>
    </View>
  );
}
