import type { ComponentChildren } from 'preact';
import { HardDriveUpload, RotateCw } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

interface LostViewProps {
  readonly onRetry: () => Promise<void>;
  /** Where a backup can be restored, if that is here; else the way there is shown. */
  readonly restore?: ComponentChildren;
}

/**
 * The vault was here and cannot be read. Offers to look again, says what helps, and takes a backup;
 * it never offers to begin anew, because that would turn a passing fault into a loss.
 */
export function LostView({ onRetry, restore = <RestoreElsewhere /> }: LostViewProps) {
  const { text } = useEnvironment();
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
        {restore}
      </View>
    </main>
  );
}

/** A popup closes when a file is chosen: that takes a tab. */
function RestoreElsewhere() {
  const { text, openManager } = useEnvironment();
  return (
    <Button
      id="open-restore"
      class="wide"
      icon={<HardDriveUpload size={18} aria-hidden="true" />}
      onClick={() => openManager('backup')}
    >
      {text.t('lostRestoreOpen')}
    </Button>
  );
}
