import { HardDriveDownload } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';

interface WarningProps {
  readonly state: UiState;
}

/** Warns on every screen while the browser offers only one of the two stores for the vault. */
export function OneCopyWarning({ state }: WarningProps) {
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

/** Warns on every screen while a permission that was taken back is not removed from the stores. */
export function UnsavedWarning({ state }: WarningProps) {
  const { text } = useEnvironment();
  if (state.unsavedRevocations === 0) return null;
  return (
    <aside class="reminder" id="unsaved" aria-label={text.t('unsavedRevokeTitle')}>
      <Banner tone="warning" title={text.t('unsavedRevokeTitle')}>
        <p>{text.t('unsavedRevoke')}</p>
      </Banner>
    </aside>
  );
}
