import { useState } from 'preact/hooks';
import { Power } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

interface EnableSiteProps {
  readonly pattern: string;
  readonly onEnabled: () => Promise<void>;
}

/** For a site that is not enabled: an explanation, and the button that enables it. */
export function EnableSite({ pattern, onEnabled }: EnableSiteProps) {
  const { ui, text, requestSite } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [declined, setDeclined] = useState(false);
  const enable = () => {
    // Browsers accept this call only in the handler of a click, so it comes first.
    const answer = requestSite(pattern);
    setDeclined(false);
    action.run(async () => {
      if (!(await answer)) {
        setDeclined(true);
        announce(text.t('siteDeclined'));
        return;
      }
      await ui.call('ui.enableSite', { pattern });
      announce(text.t('siteEnabled'));
      focusTitle();
      await onEnabled();
    });
  };
  return (
    <>
      <p class="state-line" id="site-state">
        {text.t('siteNotEnabled')}
      </p>
      <p class="muted">{text.t('siteNotEnabledWhy')}</p>
      {declined && (
        <Banner tone="info">
          <p>{text.t('siteDeclined')}</p>
        </Banner>
      )}
      <ErrorBanner error={action.error} />
      <Button
        id="enable-site"
        variant="primary"
        class="wide"
        busy={action.busy}
        icon={<Power size={18} aria-hidden="true" />}
        onClick={enable}
      >
        {text.t('enableSite')}
      </Button>
    </>
  );
}
