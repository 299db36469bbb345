import type { Storage } from 'webextension-polyfill';
import { areaStores, type DurableStores } from './storage-area-store.ts';

/** A storage area whose access level can be set. The types of the polyfill lack it; Firefox has it not. */
export type Area = Storage.StorageArea & {
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
};

/** What the stores of a browser are made of. */
export interface DurableStorageDeps {
  readonly storage: { readonly local: Area; readonly session: Area };
  /** True in the background of a Firefox that is in permanent private browsing. */
  readonly isPrivate: boolean;
  /** The global `caches`. */
  readonly caches: Pick<CacheStorage, 'open'>;
}

export interface DurableStorage extends DurableStores {
  /**
   * Resolves when content scripts have no access to these stores and to `storage.session`. Rejects where
   * that cannot be achieved: then no page is served.
   */
  readonly closed: Promise<void>;
}

/**
 * The stores over `storage.local`. In Chromium it is another engine than IndexedDB, does not count among
 * what the browser may evict, and can be closed to content scripts (from 140 on). So can `storage.session`,
 * for which that is the default.
 */
export function durableStorage({ storage }: DurableStorageDeps): DurableStorage {
  const areas = [storage.local, storage.session];
  const closed = Promise.all(areas.map(closeToContentScripts)).then(() => undefined);
  return { ...areaStores(storage.local), closed };
}

async function closeToContentScripts(area: Area): Promise<void> {
  if (area.setAccessLevel === undefined) {
    throw new Error('This browser cannot close storage to content scripts');
  }
  await area.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
}
