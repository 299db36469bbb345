import { useState } from 'preact/hooks';
import { DoorOpen } from 'lucide-preact';
import type { UiFieldSession } from '../../src/rpc/methods/ui-fields.ts';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../ui/components/banner.tsx';
import { ArmingHint, Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { shortOrigin } from '../ui/text/origin.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { useArming } from '../ui/hooks/use-arming.ts';
import { useFieldSessionEnvironment } from './environment.ts';

interface FramePermissionProps {
  readonly frame: NonNullable<UiFieldSession['blockedFrame']>;
  readonly onReached: (session: UiFieldSession) => void;
}

/** The field is in a frame of another site: a button that asks for access to the frame, once. */
export function FramePermission({ frame, onReached }: FramePermissionProps) {
  const { ui, text, requestSite } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const { armed, wasEarly, mayAct } = useArming();
  const [declined, setDeclined] = useState(false);
  const allow = (event: Event) => {
    if (!mayAct(event)) return;
    // Browsers accept this call only in the handler of a click, so it comes first.
    const answer = requestSite(frame.pattern);
    setDeclined(false);
    action.run(async () => {
      if (!(await answer)) {
        setDeclined(true);
        announce(text.t('siteDeclined'));
        return;
      }
      const session = await ui.call('ui.reachFrame', { sessionId });
      if (session.field === 'there') announce(text.t('frameReached'));
      onReached(session);
    });
  };
  return (
    <Banner tone="info" id="blocked-frame" title={text.t('frameTitle', shortOrigin(frame.origin))}>
      <p>{text.t('frameWhy')}</p>
      {declined && <p id="frame-declined">{text.t('siteDeclined')}</p>}
      <ErrorBanner error={action.error} />
      <ArmingHint wasEarly={wasEarly} />
      <div class="actions">
        <Button
          id="allow-frame"
          busy={action.busy}
          unavailable={!armed}
          icon={<DoorOpen size={18} aria-hidden="true" />}
          onClick={allow}
        >
          {text.t('frameAllow')}
        </Button>
      </div>
    </Banner>
  );
}
