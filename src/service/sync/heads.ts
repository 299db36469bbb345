import {
  SYNC_LIST,
  SYNC_LISTS_MAX,
  syncListId,
  syncListIds,
  syncListOf,
  syncListPartRecord,
  syncListRecord,
  syncListText,
  type SyncListName,
} from '../../keys/ring/sync-list.ts';
import type { Locks } from '../../keys/storage/key-value-store.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { fromWire, SealwrightError, type WireError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import { countOf } from '../../rpc/transport/byte-list.ts';
import type { InputOf } from '../../rpc/workshop.ts';
import { refused } from '../errors.ts';
import type { AuthorizeDeps } from '../grants/authorize.ts';
import { authorizeSync } from './authorize-sync.ts';
import { withRecordKeys, type RecordKeys } from './sync-keys.ts';
import { inWorkshopOf } from '../calls/origin-workshop.ts';
import { seedFrom, type SyncWorkshopDeps } from './sync-workshop.ts';

interface Deps extends AuthorizeDeps, SyncWorkshopDeps {
  readonly vault: Vault;
  readonly locks: Locks;
  readonly now: () => number;
}

type Method = 'sync.checkpoint' | 'sync.verify';
type Secrets = InputOf<Method>['secrets'];

/** What the workshop returns: a result with the parts of the list that have changed, or the error of the call. */
type Output<R> =
  | { readonly result: R; readonly parts: readonly { place: number; part: string }[] }
  | { readonly error: WireError };

/**
 * Heads of devices, which tell what a server left out (docs/sync.md section 2.1). The workshop makes and compares them; what
 * this device keeps of a collection is in the vault.
 */
export function syncHeadMethods(deps: Deps): Pick<Implementations, Method> {
  const common = ({ collection, records }: ParamsOf<Method>) => {
    return { collection, records, at: deps.now() };
  };
  return {
    'sync.checkpoint': (params, call) =>
      withList(params, call, deps, (secrets, signal) => {
        const input = { secrets, params: common(params) };
        return inWorkshopOf(call, deps, 'sync.checkpoint', input, signal);
      }),
    'sync.verify': (params, call) =>
      withList(params, call, deps, (secrets, signal) => {
        const input = { secrets, params: { ...common(params), heads: params.heads } };
        return inWorkshopOf(call, deps, 'sync.verify', input, signal);
      }),
  };
}

/** Does work with the list of a collection, one call after the other, and stores what has changed of it. */
function withList<R>(
  { collection, records, key }: ParamsOf<Method>,
  call: Call,
  deps: Deps,
  work: (secrets: Secrets, signal: AbortSignal) => Promise<Output<R>>,
): Promise<R> {
  const uses = Math.max(1, countOf(records));
  const request = { key, collections: [collection], uses };
  return authorizeSync(request, call, deps, ({ ref, take }) =>
    withRecordKeys(deps.keyRing, ref, collection, (keys) => {
      const ownKeys = keysOf(keys);
      return take((taken, signal) => {
        // A part of the records would look like a server that left out the others.
        if (taken.uses < uses) throw refused(taken.rest!);
        const name = { ref, collection };
        return deps.locks.exclusive(syncListId(name, 0), async () => {
          const list = await storedList(name, deps.vault);
          const output = await work({ ...ownKeys, seed: seedFrom(deps), list }, signal);
          if ('error' in output) throw fromWire(output.error);
          await storeList(name, list.length, output.parts, deps.vault);
          return output.result;
        });
      });
    }),
  );
}

/** @throws SealwrightError UNSUPPORTED for the formats of other products, whose records have no generation */
function keysOf({ format, keys, first }: RecordKeys): Pick<Secrets, 'keys' | 'first'> {
  if (format === 'sealwright' && first) return { keys: [...keys], first };
  throw new SealwrightError('UNSUPPORTED', 'Only keys that were made in Sealwright have heads');
}

/** The texts of a list; none where there is no list yet. */
async function storedList(name: SyncListName, vault: Vault): Promise<string[]> {
  const first = await vault.read(syncListId(name, 0));
  if (!first) return [];
  const records = await Promise.all(syncListIds(first).map((id) => vault.read(id)));
  return records.map((record) => syncListText(record!));
}

async function storeList(
  name: SyncListName,
  stored: number,
  changed: readonly { readonly place: number; readonly part: string }[],
  vault: Vault,
): Promise<void> {
  if (changed.length === 0) return;
  const parts = Math.max(stored, ...changed.map(({ place }) => place + 1)) - 1;
  await vault.commit(async (draft) => {
    const first = await draft.get(syncListId(name, 0));
    if (!first && (await draft.list(SYNC_LIST)).length >= SYNC_LISTS_MAX) {
      throw new SealwrightError('TOO_LARGE', `Lists of at most ${SYNC_LISTS_MAX} collections`);
    }
    const text = changed.find(({ place }) => place === 0)?.part ?? syncListOf(first!).text;
    draft.put(syncListRecord(name, parts, text));
    for (const { place, part } of changed) {
      if (place > 0) draft.put(syncListPartRecord(name, place, part));
    }
  });
}
