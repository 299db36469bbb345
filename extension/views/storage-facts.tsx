import { useEffect, useState } from 'preact/hooks';
import { useEnvironment, type StorageUse } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';

/** Where the vault is stored, how much that takes, and whether the browser keeps it in any case. */
export function StorageFacts({ state }: { readonly state: UiState }) {
  const { text, storageUse } = useEnvironment();
  const [use, setUse] = useState<StorageUse>();
  useEffect(() => {
    // Where the browser does not tell, the rest is shown without it.
    storageUse()
      .then(setUse)
      .catch(() => undefined);
  }, [storageUse]);
  return (
    <section class="stack" id="storage" aria-labelledby="storage-title">
      <h2 id="storage-title">{text.t('storageTitle')}</h2>
      <p>{text.t('storageWhere')}</p>
      <dl class="facts">
        <dt>{text.t('storageCopies')}</dt>
        <dd>{text.number(state.copies)}</dd>
        {use && (
          <>
            <dt>{text.t('storageSize')}</dt>
            <dd>{text.bytes(use.bytes)}</dd>
          </>
        )}
      </dl>
      {use && <p class="muted">{text.t(use.isKept ? 'storageKept' : 'storageMayGo')}</p>}
    </section>
  );
}
