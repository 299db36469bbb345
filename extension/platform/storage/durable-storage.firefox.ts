import { CacheStore } from './cache-store.ts';
import type { DurableStorage, DurableStorageDeps } from './durable-storage.ts';
import { JsonValues } from './json-values.ts';
import { areaStores } from './storage-area-store.ts';
import { StorageMove } from './storage-move.ts';

/**
 * The stores in a cache of the extension's origin. In Firefox, content scripts read and write
 * `storage.local`, and nothing closes it; what earlier versions stored there moves to the cache.
 *
 * In permanent private browsing the cache ends with the browser, as IndexedDB does not open at all there:
 * `storage.local` alone outlives it, and is used although content scripts have it too.
 */
export function durableStorage(deps: DurableStorageDeps): DurableStorage {
  const { storage, isPrivate, caches, locks } = deps;
  if (isPrivate) return { ...areaStores(storage.local), closed: Promise.resolve() };
  const to = new CacheStore({ caches, prefix: '' });
  const move = new StorageMove({ from: storage.local, to, locks });
  const ready = () => move.ended();
  move.mark().catch(() => undefined);
  const cache = (prefix: string) => new CacheStore({ caches, prefix, ready });
  return {
    vaultCopy: cache('vault/'),
    notes: new JsonValues(cache('note/')),
    pageValues: new JsonValues(cache('ui.')),
    closed: ready(),
  };
}
