import { RotateCw } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment.ts';
import { useAction } from '../ui/use-action.ts';

/**
 * The vault was here and cannot be read. Offers to look again and says what helps; it never offers
 * to begin anew, because that would turn a readable backup or a passing fault into a loss.
 */
export function LostView({ onRetry }: { readonly onRetry: () => Promise<void> }) {
  const text = useText();
  const action = useAction();
  return (
    <main>
      <View title={text.t('lostTitle')}>
        <Banner tone="error" title={text.t('lostSummary')}>
          <p>{text.t('lostNothingDeleted')}</p>
        </Banner>
        <h2>{text.t('lostWhatHelps')}</h2>
        <ul class="plain-list">
          <li>{text.t('lostHelpRestart')}</li>
          <li>{text.t('lostHelpProfile')}</li>
          <li>{text.t('lostHelpKeep')}</li>
        </ul>
        <Button
          id="retry"
          variant="primary"
          class="wide"
          busy={action.busy}
          icon={<RotateCw size={18} aria-hidden="true" />}
          onClick={() => action.run(onRetry)}
        >
          {text.t('lostRetry')}
        </Button>
      </View>
    </main>
  );
}
