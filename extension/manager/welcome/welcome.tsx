import { useState } from 'preact/hooks';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { WithPicture } from '../../ui/components/install-picture.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { WELCOME } from '../../platform/windows/welcome.ts';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import type { Report } from '../backup/backup-report.tsx';
import { RestoreLost } from '../backup/restore-lost.tsx';
import { RecoverySteps, useSlots } from '../recovery/recovery-steps.tsx';
import { PassphraseStep } from './passphrase-step.tsx';
import { TryStep } from './try-step.tsx';
import { WelcomeFrame } from './welcome-frame.tsx';

interface NewVaultProps {
  readonly onCreated: () => Promise<void>;
  /** Called before `onCreated` with what came back from a backup. */
  readonly onRestored: (report: Report) => void;
}

/** The first step, while there is no vault: makes one, or restores a backup into one. */
export function NewVault({ onCreated, onRestored }: NewVaultProps) {
  const text = useText();
  const [isRestoring, setRestoring] = useState(false);
  const created = () => {
    location.hash = WELCOME;
    return onCreated();
  };
  return (
    <WelcomeFrame step="passphrase">
      {isRestoring ? (
        <View title={text.t('haveBackup')} onBack={() => setRestoring(false)}>
          <div class="welcome-form">
            <WithPicture caption="pictureNewDevice" isHero>
              <RestoreLost
                title={text.t('restoreFirstTitle')}
                lead={text.t('restoreFirstLead')}
                onRestored={(report) => {
                  onRestored(report);
                  return created();
                }}
              />
            </WithPicture>
          </div>
        </View>
      ) : (
        <PassphraseStep onCreated={created} onRestore={() => setRestoring(true)} />
      )}
    </WelcomeFrame>
  );
}

interface WelcomeProps {
  /** Whether the vault was created in this page. */
  readonly isNew: boolean;
  /** What came back, where it was made of a backup. */
  readonly restored?: Report | undefined;
}

/**
 * The other steps, by the state of the vault: a recovery code while it has none that was confirmed, then
 * a text to try. So leaving the page loses no step.
 */
export function Welcome({ isNew, restored }: WelcomeProps) {
  const { data: slots, error, reload } = useSlots();
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
        {restored && <CameBack report={restored} />}
        <TryStep />
      </WelcomeFrame>
    );
  }
  return (
    <WelcomeFrame step="code">
      {restored && <CameBack report={restored} />}
      <CodeStep isNew={isNew} onConfirmed={reload} onLater={() => setLater(true)} />
    </WelcomeFrame>
  );
}

function CameBack({ report: { brings, created } }: { readonly report: Report }) {
  const text = useText();
  // A named key has a message key for each site that used it, so there may be none.
  const keys = Math.max(brings.keys, brings.messageKeys);
  return (
    <Banner tone="good" id="came-back" title={text.t('backupRestored')}>
      <p>{text.t('backupCameBack', keys, brings.contacts)}</p>
      <p>{text.t('backupFrom', text.date(created))}</p>
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
      <RecoverySteps hasCode={false} isNew={isNew} onConfirmed={onConfirmed} />
      <Button id="welcome-later" variant="quiet" onClick={onLater}>
        {text.t('remindLater')}
      </Button>
    </View>
  );
}
