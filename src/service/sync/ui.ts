import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { wipeSyncKey } from '../../keys/ring/sync-key.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { syncFingerprint } from '../../sync/fingerprint.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants/grants.ts';
import { importedSyncKey } from './sync-import.ts';
import { madeKey } from '../keys/ui.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly now: () => number;
}

/** The ui methods to import sync keys and to show their fingerprints. */
export function uiSyncMethods(
  deps: Deps,
): Pick<Implementations, 'ui.importSyncKey' | 'ui.syncKey'> {
  const { keyRing } = deps;
  return {
    async 'ui.importSyncKey'({ label, ...request }, call) {
      const imported = await importedSyncKey(request);
      const add = (draft: VaultDraft) => keyRing.addImportedSyncKey(draft, imported, label).ref;
      return madeKey(add, call, deps);
    },
    async 'ui.syncKey'({ ref }) {
      const key = await argumentChecked(keyRing.syncKey(ref));
      try {
        const { format, foreignId, generations, collectionKeys } = key;
        const collections = [...(collectionKeys[0]?.collections.keys() ?? [])];
        const fingerprint = syncFingerprint(generations[0]!.key);
        return { format, foreignId, fingerprint, hasKeys: collectionKeys.length > 0, collections };
      } finally {
        wipeSyncKey(key);
      }
    },
  };
}
