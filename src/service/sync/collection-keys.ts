import { wipe } from '../../crypto/bytes.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { CollectionKeyBytes, SyncKeyMaterial } from '../../keys/ring/sync-key.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import {
  newCollectionKeys,
  openCollectionKeys,
  sealCollectionKeys,
  wipeCollectionKeys,
} from '../../sync/weave/collection-keys.ts';
import type { CollectionKeys } from '../../sync/weave/collection-keys.ts';
import { SyncError } from '../../sync/errors.ts';
import { bundleBytes, bundleOf } from '../../sync/key-bundle.ts';
import { pageCall } from '../calls/caller.ts';
import { argumentChecked } from '../errors.ts';
import { onceIn } from '../calls/journal.ts';
import type { SyncKeys } from './sync-keys.ts';
import type { AuthorizeDeps } from '../grants/authorize.ts';
import { authorizeSync } from './authorize-sync.ts';

interface Deps extends AuthorizeDeps {
  readonly keyRing: KeyRing;
  readonly syncKeys: SyncKeys;
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly now: () => number;
}

const IV_BYTES = 16;
/** Only Weave keys have keys of collections. */
const WEAVE = { format: 'weave-5' } as const;

/**
 * Weave's crypto/keys: loads the record into the key store, or creates it there. Pages never see its content. The key
 * store keeps earlier sets, so that their records still decrypt.
 */
export function syncCollectionKeyMethods(
  deps: Deps,
): Pick<Implementations, 'sync.loadCollectionKeys' | 'sync.createCollectionKeys'> {
  return {
    async 'sync.loadCollectionKeys'({ payload, key }, call) {
      await authorizeSync({ key, collections: [], ...WEAVE }, call, deps, ({ ref, take }) =>
        deps.syncKeys.withAccountCipher(ref, async (cipher) => {
          const text = textIn(payload);
          await take(async () => {
            const keys = await openCollectionKeys(cipher, text);
            await putOnce(() => keys, ref, call, deps);
            wipeCollectionKeys(keys);
          });
        }),
      );
      return {};
    },
    async 'sync.createCollectionKeys'({ collections = [], key }, call) {
      return authorizeSync({ key, collections, ...WEAVE }, call, deps, async ({ ref, take }) => {
        await deps.syncKeys.withAccountCipher(ref, (_cipher, before) =>
          take(() => putOnce(() => createKeys(collections, before, deps), ref, call, deps)),
        );
        return sealedNewest(ref, deps);
      });
    },
  };
}

/** Keeps the existing keys. A grant for some collections creates keys for these only. */
function createKeys(
  collections: readonly string[],
  { collectionKeys: [newest] }: SyncKeyMaterial,
  { random }: Deps,
): CollectionKeys {
  return newCollectionKeys(random, collections, newest && keysOf(newest));
}

/** A repeated call finds its journal entry and changes nothing. */
async function putOnce(
  keys: () => CollectionKeys,
  ref: string,
  call: Call,
  { vault, keyRing, now }: Deps,
): Promise<void> {
  const { origin, id, asks } = pageCall(call);
  // The charged use has its own entry, under the call's id.
  const entry = { call: `${id} collection keys`, asks: await asks(), at: now() };
  const put = async (draft: VaultDraft): Promise<null> => {
    const bytes = bytesOf(keys());
    await keyRing.putCollectionKeysIn(draft, ref, bytes);
    wipe(bytes.default, ...bytes.collections.values());
    return null;
  };
  await argumentChecked(vault.commit((draft) => onceIn(draft, origin, entry, () => put(draft))));
}

async function sealedNewest(ref: string, { syncKeys, random }: Deps): Promise<Uint8Array> {
  return syncKeys.withAccountCipher(ref, async (cipher, { collectionKeys: [newest] }) => {
    const keys = keysOf(newest!);
    try {
      return await sealCollectionKeys(cipher, random.bytes(IV_BYTES), keys);
    } finally {
      wipeCollectionKeys(keys);
    }
  });
}

function keysOf({ default: fallback, collections }: CollectionKeyBytes): CollectionKeys {
  const named = [...collections].map(([name, bytes]) => [name, bundleOf(bytes)] as const);
  return { default: bundleOf(fallback), collections: new Map(named) };
}

function bytesOf({ default: fallback, collections }: CollectionKeys): CollectionKeyBytes {
  const named = [...collections].map(([name, bundle]) => [name, bundleBytes(bundle)] as const);
  return { default: bundleBytes(fallback), collections: new Map(named) };
}

function textIn(payload: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyncError('BAD_RECORD', 'payload: expected text in UTF-8');
  }
}
