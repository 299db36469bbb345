import { Fingerprint } from 'lucide-preact';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiKey, UiSyncKey } from '../../ui/environment/ui-client.ts';
import { ShownOnRequest } from '../forms/shown-on-request.tsx';

/** What two devices compare to know that they have the same sync key, once it is asked for. */
export function CompareSyncKey({ item }: { readonly item: UiKey }) {
  const { ui, text } = useEnvironment();
  if (item.kind !== 'sync') return null;
  return (
    <ShownOnRequest
      class="compare-sync-key"
      icon={<Fingerprint size={16} aria-hidden="true" />}
      label={text.t('syncKeyShow')}
      named={text.t('syncKeyShowNamed', item.label)}
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
