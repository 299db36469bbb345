import { ShieldCheck } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { WELCOME } from '../../platform/windows/welcome.ts';

/**
 * In pages that close at a click outside of them: sends to the first run in a tab, which makes the vault.
 */
export function NoVaultView() {
  const { text, openManager } = useEnvironment();
  return (
    <main>
      <View title={text.t('firstRunTitle')}>
        <p class="lead">{text.t('firstRunLead')}</p>
        <Button
          id="finish-setup"
          variant="primary"
          class="wide"
          icon={<ShieldCheck size={18} aria-hidden="true" />}
          onClick={() => openManager(WELCOME)}
        >
          {text.t('finishSetup')}
        </Button>
        <p class="hint">{text.t('finishSetupHint')}</p>
      </View>
    </main>
  );
}
