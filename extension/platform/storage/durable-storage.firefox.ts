import { EXISTS } from '../../../src/keys/values/value-names.ts';
import { CacheStore } from './cache-store.ts';
import type { DurableStorage, DurableStorageDeps } from './durable-storage.ts';
import { inTime } from './in-time.ts';
import { JsonValues } from './json-values.ts';
import { areaStores } from './storage-area-store.ts';

/** In `storage.local`: that a vault was made. It says no more than that. */
const MARK = 'vault-made';

/**
 * The stores in a cache of the extension's origin. In Firefox, content scripts read and write
 * `storage.local`, and nothing closes it.
 *
 * One mark is there. Firefox removes everything in an extension's origin, IndexedDB with the cache, from a
 * full disk and where it finds the cache's database damaged. By the mark that is a lost vault, and not a
 * first run. A content script can forge or remove the mark, and no other value of `storage.local` is read.
 *
 * In permanent private browsing the cache ends with the browser, as IndexedDB does not open at all there:
 * `storage.local` alone outlives it, and is used although content scripts have it too.
 */
export function durableStorage(deps: DurableStorageDeps): DurableStorage {
  const { storage, isPrivate, caches } = deps;
  if (isPrivate) return { ...areaStores(storage.local), closed: Promise.resolve() };
  const unchecked = new CacheStore({ caches, prefix: 'vault/' });
  const checked = checkMark(unchecked, storage.local);
  const ready = () => checked;
  // What fails here is done by the next background.
  checked.then(() => setMark(unchecked, storage.local)).catch(() => undefined);
  const cache = (prefix: string) => new CacheStore({ caches, prefix, ready });
  return {
    vaultCopy: cache('vault/'),
    notes: new JsonValues(cache('note/')),
    pageValues: new JsonValues(cache('ui.')),
    closed: checked,
  };
}

type Area = DurableStorageDeps['storage']['local'];

/**
 * Where the copy holds nothing of a vault, and not that none was ever made, the mark counts: it becomes a
 * vault marker that no reader accepts. No other operation of the cache begins before this has ended.
 */
async function checkMark(copy: CacheStore, area: Area): Promise<void> {
  if ((await copy.get(EXISTS)) !== undefined) return; // at every start but those without a vault
  if ((await copy.keys()).length > 0) return;
  if (!(await isMarked(area))) return;
  await copy.write(new Map([[EXISTS, new Uint8Array(0)]]));
}

async function setMark(copy: CacheStore, area: Area): Promise<void> {
  if ((await copy.get(EXISTS)) === undefined || (await isMarked(area))) return;
  await inTime(area.set({ [MARK]: true }), 'storage-local');
}

async function isMarked(area: Area): Promise<boolean> {
  return MARK in (await inTime(area.get(MARK), 'storage-local'));
}
