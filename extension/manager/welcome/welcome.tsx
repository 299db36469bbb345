import { useState } from 'preact/hooks';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { WELCOME } from '../../platform/windows/welcome.ts';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import { RestoreLost } from '../backup/restore-lost.tsx';
import { RecoverySteps, useSlots } from '../recovery/recovery-steps.tsx';
import { PassphraseStep } from './passphrase-step.tsx';
import { TryStep } from './try-step.tsx';
import { WelcomeFrame } from './welcome-frame.tsx';

/** The first step, while there is no vault: makes one, or restores a backup into one. */
export function NewVault({ onCreated }: { readonly onCreated: () => Promise<void> }) {
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
          <RestoreLost
            title={text.t('restoreFirstTitle')}
            lead={text.t('restoreFirstLead')}
            onRestored={created}
          />
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
}

/**
 * The other steps, by the state of the vault: a recovery code while it has none that was confirmed, then
 * a text to try. So leaving the page loses no step.
 */
export function Welcome({ isNew }: WelcomeProps) {
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
        <TryStep />
      </WelcomeFrame>
    );
  }
  return (
    <WelcomeFrame step="code">
      <CodeStep isNew={isNew} onConfirmed={reload} onLater={() => setLater(true)} />
    </WelcomeFrame>
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
