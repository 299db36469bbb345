import { copyOf, wipe } from '../../crypto/bytes.ts';
import { withCollectionKeys, type CollectionKeyBytes } from '../../keys/ring/sync-key.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { WorkshopFailed, type OutputOf } from '../../rpc/workshop.ts';
import { pageCall } from '../calls/caller.ts';
import { argumentChecked } from '../errors.ts';
import { onceIn } from '../calls/journal.ts';
import type { AuthorizeDeps } from '../grants/authorize.ts';
import { authorizeSync } from './authorize-sync.ts';
import { withAccount } from './sync-keys.ts';
import { inWorkshopOf } from '../calls/origin-workshop.ts';
import { seedFrom, type SyncWorkshopDeps } from './sync-workshop.ts';

interface Deps extends AuthorizeDeps, SyncWorkshopDeps {
  readonly vault: Vault;
  readonly now: () => number;
}

/** Encryption key and HMAC key of a collection. */
const BUNDLE_BYTES = 64;
/** Only Weave keys have keys of collections. */
const WEAVE = { format: 'weave-5' } as const;

/**
 * Weave's crypto/keys: loads the record into the key store, or creates it there. Pages never see its content. The key
 * store keeps earlier sets, so that their records still decrypt.
 */
export function syncCollectionKeyMethods(
  deps: Deps,
): Pick<Implementations, 'sync.loadCollectionKeys' | 'sync.createCollectionKeys'> {
  const { keyRing, random } = deps;
  return {
    async 'sync.loadCollectionKeys'({ payload, key }, call) {
      await authorizeSync({ key, collections: [], ...WEAVE }, call, deps, ({ ref, take }) =>
        withAccount(keyRing, ref, async (account) => {
          const text = textIn(payload);
          await take(async (_taken, signal) => {
            const keys = await opened(account, text, call, deps, signal);
            await putOnce(keys, ref, call, deps);
          });
        }),
      );
      return {};
    },
    async 'sync.createCollectionKeys'({ collections = [], key }, call) {
      return authorizeSync({ key, collections, ...WEAVE }, call, deps, async ({ ref, take }) => {
        await withAccount(keyRing, ref, (_account, { collectionKeys: [newest] }) =>
          take(() => putOnce(newKeys(random, collections, newest), ref, call, deps)),
        );
        return sealedNewest(ref, call, deps);
      });
    },
  };
}

/** A new bundle for each named collection; the others of `before` stay. All are copies. */
function newKeys(
  random: RandomSource,
  named: readonly string[],
  before?: CollectionKeyBytes,
): CollectionKeyBytes {
  const drawn = (): Uint8Array => random.bytes(BUNDLE_BYTES);
  const collections = new Map<string, Uint8Array>();
  for (const [name, bundle] of before?.collections ?? []) collections.set(name, copyOf(bundle));
  for (const name of named) collections.set(name, drawn());
  return { default: before ? copyOf(before.default) : drawn(), collections };
}

/**
 * A repeated call finds its journal entry and changes nothing.
 *
 * @param keys wiped at the end
 */
async function putOnce(
  keys: CollectionKeyBytes,
  ref: string,
  call: Call,
  { vault, keyRing, now }: Deps,
): Promise<void> {
  const { origin, id, asks } = pageCall(call);
  // The charged use has its own entry, under the call's id.
  const entry = { call: `${id} collection keys`, asks: await asks(), at: now() };
  const put = async (draft: VaultDraft): Promise<null> => {
    await keyRing.changeKeyIn(draft, ref, 'sync', (value, at) =>
      withCollectionKeys(value, keys, at),
    );
    return null;
  };
  try {
    await argumentChecked(vault.commit((draft) => onceIn(draft, origin, entry, () => put(draft))));
  } finally {
    wipe(keys.default, ...keys.collections.values());
  }
}

/** @throws SealwrightError BAD_ENVELOPE, AUTH_FAILED */
async function opened(
  account: Uint8Array,
  payload: string,
  call: Call,
  deps: Deps,
  signal: AbortSignal,
): Promise<CollectionKeyBytes> {
  const input = { secrets: { account }, params: { payload } };
  try {
    const keys = await inWorkshopOf(call, deps, 'sync.openCollectionKeys', input, signal);
    return bytesOf(keys);
  } catch (error) {
    throw error instanceof TypeError ? new SealwrightError('BAD_ENVELOPE', error.message) : error;
  }
}

function bytesOf(keys: OutputOf<'sync.openCollectionKeys'>): CollectionKeyBytes {
  const named = keys.collections.map(({ name, bundle }) => [name, bundle] as const);
  const all = { default: keys.default, collections: new Map(named) };
  if ([all.default, ...all.collections.values()].some(({ length }) => length !== BUNDLE_BYTES)) {
    throw new WorkshopFailed('Wrong keys');
  }
  return all;
}

async function sealedNewest(ref: string, call: Call, deps: Deps): Promise<Uint8Array> {
  return withAccount(deps.keyRing, ref, (account, { collectionKeys: [newest] }) => {
    const named = [...newest!.collections].map(([name, bundle]) => ({ name, bundle }));
    const keys = { default: newest!.default, collections: named };
    const input = { secrets: { account, keys, seed: seedFrom(deps) }, params: {} };
    return inWorkshopOf(call, deps, 'sync.sealCollectionKeys', input, call.signal);
  });
}

function textIn(payload: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SealwrightError('BAD_ENVELOPE', 'payload: expected text in UTF-8');
  }
}
