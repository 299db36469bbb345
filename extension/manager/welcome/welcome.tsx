import { useState } from 'preact/hooks';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { WithPicture } from '../../ui/components/install-picture.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { WELCOME } from '../../platform/windows/welcome.ts';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import { RestoreLost } from '../backup/restore-lost.tsx';
import { OwnFile } from '../devices/device-files.tsx';
import { DeviceFolderPart, useKeptFolder } from '../devices/device-folder.tsx';
import { RecoverySteps } from '../recovery/recovery-steps.tsx';
import { FromDevices } from './from-devices.tsx';
import { PassphraseStep } from './passphrase-step.tsx';
import { TryStep } from './try-step.tsx';
import { WelcomeFrame } from './welcome-frame.tsx';

interface NewVaultProps {
  readonly onCreated: () => Promise<void>;
  /** Called before `onCreated` with what came back from a backup or from other devices. */
  readonly onRestored: (restored: Restored) => void;
}

/** What a new vault was made of. */
export interface Restored {
  readonly keys: number;
  readonly contacts: number;
  /** When the backup was made, ms since the epoch; undefined for what other devices share. */
  readonly made?: number;
  /** Whether it came by files of other devices. */
  readonly isByFiles?: boolean;
}

/** The first step, while there is no vault: makes one, or fills it from a backup or from other devices. */
export function NewVault({ onCreated, onRestored }: NewVaultProps) {
  const text = useText();
  const [source, setSource] = useState<'backup' | 'devices'>();
  const goBack = () => setSource(undefined);
  const created = () => {
    location.hash = WELCOME;
    return onCreated();
  };
  return (
    <WelcomeFrame step="passphrase">
      {source === 'devices' && (
        <View title={text.t('haveDevice')} onBack={goBack}>
          <div class="welcome-form">
            <WithPicture caption="pictureNewDevice" isHero>
              <FromDevices
                onArrived={(arrived) => {
                  onRestored(arrived);
                  return created();
                }}
              />
            </WithPicture>
          </div>
        </View>
      )}
      {source === 'backup' && (
        <View title={text.t('haveBackup')} onBack={goBack}>
          <div class="welcome-form">
            <WithPicture caption="pictureNewDevice" isHero>
              <RestoreLost
                title={text.t('restoreFirstTitle')}
                lead={text.t('restoreFirstLead')}
                onRestored={({ brings, created: made }) => {
                  // A named key has a message key for each site that used it, so there may be none.
                  const keys = Math.max(brings.keys, brings.messageKeys);
                  onRestored({ keys, contacts: brings.contacts, made });
                  return created();
                }}
              />
            </WithPicture>
          </div>
        </View>
      )}
      {source === undefined && (
        <PassphraseStep
          onCreated={created}
          onRestore={() => setSource('backup')}
          onDevices={() => setSource('devices')}
        />
      )}
    </WelcomeFrame>
  );
}

interface WelcomeProps {
  /** Whether the vault was created in this page. */
  readonly isNew: boolean;
  /** What came back, where it was made of a backup or of other devices. */
  readonly restored?: Restored | undefined;
}

/**
 * The other steps, by the state of the vault: a recovery code while it has none that was confirmed, then
 * a text to try. So leaving the page loses no step.
 */
export function Welcome({ isNew, restored }: WelcomeProps) {
  const { data: slots, error, reload } = useQuery('ui.slots', {});
  const [isLater, setLater] = useState(false);
  if (slots === undefined) {
    return (
      <WelcomeFrame step="code">
        {error === undefined ? <Loading /> : <ErrorBanner error={error} />}
      </WelcomeFrame>
    );
  }
  const hasCode = hasConfirmedCode(slots);
  if (isLater || hasCode) {
    return (
      <WelcomeFrame step="try" putOff={hasCode ? undefined : 'code'}>
        {restored && <CameBack restored={restored} />}
        {restored?.isByFiles && <FileForOthers />}
        <TryStep />
      </WelcomeFrame>
    );
  }
  return (
    <WelcomeFrame step="code">
      {restored && <CameBack restored={restored} />}
      <CodeStep isNew={isNew} onConfirmed={reload} onLater={() => setLater(true)} />
    </WelcomeFrame>
  );
}

/** This device's file, by which the others learn of it, and which its new code opens. */
function FileForOthers() {
  const text = useText();
  const { data: files, reload } = useQuery('ui.deviceFiles', {});
  const folder = useKeptFolder();
  if (!files || folder === undefined) return null;
  return (
    <section class="stack card" id="file-for-others">
      <p>{text.t('arrivalSave')}</p>
      <DeviceFolderPart kept={folder} onExchanged={reload} />
      <OwnFile madeAt={files.madeAt} onMade={reload} />
    </section>
  );
}

function CameBack({ restored }: { readonly restored: Restored }) {
  const { keys, contacts, made, isByFiles } = restored;
  const text = useText();
  if (made === undefined) {
    return (
      <Banner tone="good" id="came-back" title={text.t('arrivalBack')}>
        <p>{text.t('arrivalCounts', keys, contacts)}</p>
        <p>{text.t(isByFiles ? 'arrivalNextFiles' : 'arrivalNext')}</p>
      </Banner>
    );
  }
  return (
    <Banner tone="good" id="came-back" title={text.t('backupRestored')}>
      <p>{text.t('backupCameBack', keys, contacts)}</p>
      <p>{text.t('backupFrom', text.date(made))}</p>
    </Banner>
  );
}

interface CodeStepProps extends WelcomeProps {
  readonly onConfirmed: () => Promise<void>;
  readonly onLater: () => void;
}

function CodeStep({ isNew, onConfirmed, onLater }: CodeStepProps) {
  const text = useText();
  return (
    <View title={text.t('recoveryTitle')}>
      <p class="lead">{text.t('recoveryWhy')}</p>
      <RecoverySteps hasCode={false} isNew={isNew} onConfirmed={onConfirmed}>
        <Button id="welcome-later" variant="quiet" onClick={onLater}>
          {text.t('remindLater')}
        </Button>
      </RecoverySteps>
    </View>
  );
}
