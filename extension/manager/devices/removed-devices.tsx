import { RefreshCw } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { UiRemovedDevices } from '../../../src/rpc/methods/ui-devices.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { nameOfMember } from './members.tsx';

const REASONS: Record<UiRemovedDevices['stuck'][number]['reason'], MessageKey> = {
  imported: 'removedImported',
  service: 'removedService',
  guest: 'removedGuest',
  generations: 'removedGenerations',
};

/** The keys that removed devices have, until they are renewed or the user lets them be; nothing where there are none. */
export function RemovedDevices({ data, reload }: Query<UiRemovedDevices | null>) {
  const text = useText();
  if (!data) return null;
  const names = data.devices.map((device) => nameOfMember(device, text));
  return (
    <section class="stack card" aria-labelledby="removed-title" id="removed-devices">
      <h2 id="removed-title">{text.t('removedTitle')}</h2>
      <p>{text.t('removedKeeps', text.list(names))}</p>
      <Renewal data={data} onChange={reload} />
      {data.stuck.length > 0 && (
        <>
          <p id="removed-stuck">{text.t('removedStuck')}</p>
          <ul class="rows" aria-labelledby="removed-stuck">
            {data.stuck.map(({ label, reason }, at) => (
              <li key={at} class="row">
                <div class="row-main">
                  <p class="row-title">
                    <bdi>{label}</bdi>
                  </p>
                  <p class="row-detail">{text.t(REASONS[reason])}</p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">{text.t('removedSites')}</p>
    </section>
  );
}

interface RenewalProps {
  readonly data: UiRemovedDevices;
  readonly onChange: () => Promise<void>;
}

/** Renews some keys with each call, so that the user sees how many are left. What ends early goes on with the next press. */
function Renewal({ data: { due, hasSharing }, onChange }: RenewalProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [left, setLeft] = useState(due);
  const renew = () =>
    action.run(async () => {
      for (let more = due; more > 0;) {
        ({ left: more } = await ui.call('ui.rotateKeys', {}));
        setLeft(more);
      }
      toast(text.t('removedRenewed'));
      focusTitle();
      await onChange();
    });
  const dismiss = () =>
    action.run(async () => {
      await ui.call('ui.dismissRemovedDevices', {});
      focusTitle();
      await onChange();
    });
  return (
    <>
      {due > 0 && <p>{text.t(hasSharing ? 'removedRenewSharing' : 'removedRenewMore')}</p>}
      <div class="actions">
        {due > 0 && (
          <Button
            id="removed-renew"
            variant="primary"
            busy={action.busy}
            icon={<RefreshCw size={16} aria-hidden="true" />}
            onClick={renew}
          >
            {text.t('removedRenew', action.busy ? left : due)}
          </Button>
        )}
        <Button id="removed-dismiss" variant="quiet" unavailable={action.busy} onClick={dismiss}>
          {text.t(due > 0 ? 'removedLeave' : 'done')}
        </Button>
      </div>
      <ErrorBanner error={action.error} />
    </>
  );
}
