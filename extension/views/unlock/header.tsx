import { ExternalLink, Lock } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { SmallPicture } from '../../ui/components/install-picture.tsx';
import { Mark } from '../../ui/picture/mark.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

interface HeaderProps {
  readonly state: UiState | undefined;
  readonly onChange: () => Promise<void>;
}

/**
 * The name of the extension, the picture, while unlocked the button that locks, and the button that shows the manager:
 * last, where it does not move when the vault's state comes.
 */
export function Header({ state, onChange }: HeaderProps) {
  const { ui, text, openInTab } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const lock = () =>
    action.run(async () => {
      await ui.call('ui.lock', {});
      announce(text.t('lockedNow'));
      await onChange();
    });
  return (
    <header class="top">
      <Mark size={24} />
      <span class="top-name">{text.t('extName')}</span>
      <SmallPicture />
      {state?.vault === 'unlocked' && (
        <Button
          id="lock-now"
          title={text.t('lockNow')}
          busy={action.busy}
          icon={<Lock size={16} aria-hidden="true" />}
          onClick={lock}
        >
          {text.t('lockNow')}
        </Button>
      )}
      {openInTab && (
        <button
          type="button"
          class="icon-button"
          id="to-manager"
          aria-label={text.t('openManager')}
          title={text.t('openManager')}
          onClick={openInTab}
        >
          <ExternalLink size={18} aria-hidden="true" />
        </button>
      )}
    </header>
  );
}
