import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiGrant } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

interface UnusualHourProps {
  readonly grant: UiGrant;
  /** The name of its key. */
  readonly name: string;
  readonly onRead: () => Promise<void>;
}

/** Tells that a grant opened far more in an hour than it usually does. Nothing was stopped. */
export function UnusualHour({ grant, name, onRead }: UnusualHourProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const read = () =>
    action.run(async () => {
      await ui.call('ui.readUnusual', { grantId: grant.id });
      announce(text.t('activityUnusualSeen'));
      focusTitle();
      await onRead();
    });
  return (
    <Banner tone="info" title={text.t('unusualTitle')}>
      <p>{text.t('unusualWhy')}</p>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button busy={action.busy} aria-label={`${text.t('unusualSeen')}: ${name}`} onClick={read}>
          {text.t('unusualSeen')}
        </Button>
      </div>
    </Banner>
  );
}
