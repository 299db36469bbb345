import type { ComponentChildren } from 'preact';
import { Fingerprint } from 'lucide-preact';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiKey, UiSyncKey } from '../../ui/environment/ui-client.ts';
import { ShownOnRequest } from '../forms/shown-on-request.tsx';

interface CompareSyncKeyProps {
  readonly item: UiKey;
  /** The other actions of its row. */
  readonly beside: ComponentChildren;
}

/** A button that shows a sync key's fingerprint, for comparing with another device. */
export function CompareSyncKey({ item, beside }: CompareSyncKeyProps) {
  const { ui, text } = useEnvironment();
  return (
    <ShownOnRequest
      class="compare-sync-key"
      icon={<Fingerprint size={16} aria-hidden="true" />}
      label={text.t('syncKeyShow')}
      named={text.t('syncKeyShowNamed', item.label)}
      beside={beside}
      fetch={() => ui.call('ui.syncKey', { ref: item.ref })}
    >
      {(shown: UiSyncKey) => (
        <>
          <p class="hint">{text.t('syncKeyExplained')}</p>
          <dl>
            <dt>{text.t('syncFingerprint')}</dt>
            <dd class="code-line" dir="ltr" data-sync-fingerprint>
              {shown.fingerprint}
            </dd>
            {shown.foreignId !== null && (
              <>
                <dt>{text.t('syncForeignId')}</dt>
                <dd class="code-line" dir="ltr" data-sync-foreign-id>
                  {shown.foreignId}
                </dd>
              </>
            )}
          </dl>
        </>
      )}
    </ShownOnRequest>
  );
}
