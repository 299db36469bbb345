/**
 * Everything that the extension has stored, as one text: all IndexedDB databases, all of storage.local,
 * and its cache, where values are base64url. To be run in one of the extension's own pages.
 */
export async function storedBytes(): Promise<string> {
  interface Area {
    get(key: null): Promise<Record<string, unknown>>;
  }
  const world = globalThis as unknown as Record<string, { storage: { local: Area } } | undefined>;
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
  const text = (value: unknown): string =>
    value instanceof Uint8Array ? [...value].join() : JSON.stringify(value);

  const lines: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const records = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([
        done(records.getAllKeys()),
        done(records.getAll() as IDBRequest<unknown[]>),
      ]);
      keys.forEach((key, i) => lines.push(`${name} ${store} ${text(key)} ${text(values[i])}`));
    }
    database.close();
  }
  const { local } = (world.browser ?? world.chrome)!.storage;
  for (const [key, value] of Object.entries(await local.get(null))) {
    lines.push(`local ${key} ${text(value)}`);
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const found = await cache.match(request);
      if (!found) continue; // deleted since the list was made
      const stored = found.headers.get('x-value')!;
      const clear = atob(stored.replaceAll('-', '+').replaceAll('_', '/'));
      lines.push(`cache ${decodeURIComponent(request.url)} ${stored} ${clear}`);
    }
  }
  return lines.sort().join('\n');
}
