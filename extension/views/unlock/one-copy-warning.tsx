import { HardDriveDownload } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';

/** Stands above every face while the browser gives the vault one place instead of two. */
export function OneCopyWarning({ state }: { readonly state: UiState }) {
  const { text, openManager } = useEnvironment();
  if (state.copies > 1 || state.vault === 'lost') return null;
  return (
    <aside class="reminder" id="one-copy" aria-label={text.t('oneCopyTitle')}>
      <Banner tone="warning" title={text.t('oneCopyTitle')}>
        <p>{text.t('oneCopy')}</p>
        {state.vault === 'unlocked' && (
          <Button
            id="open-backup"
            icon={<HardDriveDownload size={16} aria-hidden="true" />}
            onClick={() => openManager('backup')}
          >
            {text.t('makeBackup')}
          </Button>
        )}
      </Banner>
    </aside>
  );
}
