import { useState } from 'preact/hooks';
import { Fingerprint } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useEnvironment } from '../ui/environment.ts';
import type { SurfaceKey, SurfaceSyncKey } from '../ui/surface.ts';
import { useAction } from '../ui/use-action.ts';

/** What two devices compare to know that they have the same sync key, once it is asked for. */
export function CompareSyncKey({ item }: { readonly item: SurfaceKey }) {
  const { surface, text } = useEnvironment();
  const action = useAction();
  const [shown, setShown] = useState<SurfaceSyncKey>();
  const show = () =>
    action.run(async () => setShown(await surface.call('ui.syncKey', { ref: item.ref })));
  if (item.kind !== 'sync') return null;
  if (shown === undefined) {
    return (
      <>
        <ErrorBanner error={action.error} />
        <Button
          variant="quiet"
          class="compare-sync-key"
          busy={action.busy}
          icon={<Fingerprint size={16} aria-hidden="true" />}
          aria-label={text.t('syncKeyShowNamed', item.label)}
          onClick={show}
        >
          {text.t('syncKeyShow')}
        </Button>
      </>
    );
  }
  return (
    <div class="stack public-key">
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
    </div>
  );
}
