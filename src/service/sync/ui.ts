import { wipe } from '../../crypto/bytes.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { syncKeyMaterial, wipeSyncKey } from '../../keys/ring/sync-key.ts';
import type { ImportedKey } from '../../keys/ring/user-key.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import type { Workshop } from '../../rpc/workshop.ts';
import { syncFingerprint } from '../../sync/fingerprint.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants/grants.ts';
import { madeKey } from '../keys/ui.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly workshop: Workshop;
  readonly now: () => number;
}

type ImportRequest = Omit<ParamsOf<'ui.importSyncKey'>, 'label'>;

/** Two keys for Weave and Kinto, one key-wrapping key for Notes. */
const KEY_BYTES = { 'weave-5': 64, kinto: 64, notes: 32 } as const;

/** The ui methods to import sync keys and to show their fingerprints. */
export function uiSyncMethods(
  deps: Deps,
): Pick<Implementations, 'ui.importSyncKey' | 'ui.syncKey'> {
  const { keyRing } = deps;
  return {
    async 'ui.importSyncKey'({ label, ...request }, call) {
      const imported = await argumentChecked(importedSyncKey(request, deps.workshop));
      const add = (draft: VaultDraft) => keyRing.addImportedKey(draft, imported, label).ref;
      return madeKey(add, call, deps);
    },
    async 'ui.syncKey'({ ref }) {
      const key = syncKeyMaterial(await argumentChecked(keyRing.userKeyValue(ref, 'sync')));
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

/** The key keeps its format. @throws RangeError if the source has no such key; the error quotes nothing */
async function importedSyncKey(
  { format, source }: ImportRequest,
  workshop: Workshop,
): Promise<ImportedKey> {
  const keyBytes = KEY_BYTES[format];
  const input = { secrets: { source }, params: { keyBytes } };
  const read = await workshop.call('files', 'sync.readKey', input);
  const { key, foreignId } = read;
  if (key.length !== keyBytes) {
    wipe(key);
    throw new RangeError('source: expected a key for these records, got a key of another kind');
  }
  return { kind: 'sync', algorithm: format, keys: [{ key }], foreignId };
}
