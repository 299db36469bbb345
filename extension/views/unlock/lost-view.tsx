import type { ComponentChildren } from 'preact';
import { HardDriveUpload, RotateCw } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

interface LostViewProps {
  readonly onRetry: () => Promise<void>;
  /** The form that restores a backup; by default a button that opens it in a tab. */
  readonly restore?: ComponentChildren;
}

/**
 * The vault existed and cannot be read. Offers to read it again, gives advice, and restores a
 * backup. It never offers an empty new vault, because that would turn a temporary fault into a
 * loss.
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

/** Opens a tab for the restore, because a popup closes when a file is chosen. */
export function RestoreElsewhere() {
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
