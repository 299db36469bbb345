import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { UnlockForm } from '../ui/components/forms/unlock-form.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { DenyButton } from './answer-buttons.tsx';
import { usePromptEnvironment } from './environment.ts';
import { RequestSummary } from './request-summary.tsx';

interface UnlockFirstProps {
  readonly prompt: UiPrompt;
  readonly onUnlocked: () => Promise<void>;
}

/**
 * A request while the vault is not unlocked: who requests, and how to unlock or create the vault
 * first.
 */
export function UnlockFirst({ prompt, onUnlocked }: UnlockFirstProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('promptTitle')} focusHeading={prompt.vault !== 'locked'}>
        <RequestSummary prompt={prompt} />
        {prompt.vault === 'locked' && (
          <>
            <h2>{text.t('promptUnlockTitle')}</h2>
            <UnlockForm onUnlocked={onUnlocked}>
              <DenyButton prompt={prompt} />
            </UnlockForm>
          </>
        )}
        {prompt.vault === 'absent' && <FirstRunHint />}
        {prompt.vault === 'lost' && (
          <Banner tone="error" title={text.t('lostTitle')}>
            <p>{text.t('promptLost')}</p>
          </Banner>
        )}
        {prompt.vault !== 'locked' && <DenyButton prompt={prompt} />}
      </View>
    </main>
  );
}

function FirstRunHint() {
  const text = useText();
  const { openWelcome } = usePromptEnvironment();
  return (
    <>
      <Banner tone="info" title={text.t('promptNoVaultTitle')}>
        <p>{text.t('promptNoVault')}</p>
      </Banner>
      <Button id="set-up" variant="primary" class="wide" onClick={openWelcome}>
        {text.t('promptSetUp')}
      </Button>
    </>
  );
}
