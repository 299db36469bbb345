import { checkOptions } from '../errors.ts';
import { checkCollection, type SealedCollection } from './collection.ts';
import { contentOf, sealedText } from './content.ts';
import type { Fields } from './content.ts';
import { atLeast, generationOf, openedOrQuarantined } from './quarantine.ts';
import type { Quarantined, QuarantineOptions, RollbackOptions } from './quarantine.ts';

/** The methods of remotestorage.js's BaseClient that are used here. */
export interface BaseClient {
  storeFile(mimeType: string, path: string, body: string): Promise<unknown>;
  getFile(path: string, maxAge?: number | false): Promise<unknown>;
  getListing(path: string, maxAge?: number | false): Promise<unknown>;
  remove(path: string): Promise<unknown>;
}

/** The maximum age of a cached copy in remotestorage.js: milliseconds, or false for any age. */
type MaxAge = number | false;

/** Sealed objects in a remoteStorage. */
export interface SealedRemoteStorage {
  /** @returns the revision. @param path relative to the base client, and what the object is bound to */
  storeObject(path: string, object: object): Promise<unknown>;
  /** @returns undefined if there is none @throws SealwrightError, SealwrightClientError if it does not open */
  getObject(path: string, maxAge?: MaxAge): Promise<Fields | undefined>;
  /** The objects directly in a folder by name; those that do not open are quarantined. */
  getAll(folder: string, maxAge?: MaxAge): Promise<Record<string, Fields | Quarantined>>;
  getListing(folder: string, maxAge?: MaxAge): Promise<unknown>;
  remove(path: string): Promise<unknown>;
}

/** Not JSON or text, because sealed objects cannot be displayed. */
const SEALED_TYPE = 'application/vnd.sealwright.record';

/**
 * Stores objects in a remoteStorage sealed with the user's key, on the server and in the browser's
 * cache. The server sees paths, sizes and times. Schemas of `declareType` are not checked.
 *
 * @example
 *   const client = remoteStorage.scope('/notes/');
 *   const notes = remoteStorageClient(client, sealedCollection(sealwright, 'notes'));
 *   await notes.storeObject('n1', { text: 'Meet me at nine' });
 */
export function remoteStorageClient(
  base: BaseClient,
  collection: SealedCollection,
  options: QuarantineOptions & RollbackOptions = {},
): SealedRemoteStorage {
  checkCollection(collection);
  checkOptions(options, 'onQuarantine', 'newest');
  const { newest } = options;
  const content = (payload: unknown): Fields => contentOf(contentOf(payload)['object']);
  const dataAt = async (path: string, maxAge?: MaxAge): Promise<unknown> => {
    const file = (await base.getFile(path, maxAge)) as { readonly data?: unknown } | undefined;
    return file?.data;
  };

  /** Of what is stored now, by another device perhaps; 0 where nothing is that opens. */
  const storedGeneration = async (path: string): Promise<number> => {
    const data = await dataAt(path);
    if (typeof data !== 'string') return 0;
    const opened = await collection.tryOpen({ id: path, payload: data });
    return opened.ok ? generationOf(opened.value) : 0;
  };

  return {
    async storeObject(path, object) {
      const generation =
        newest && 1 + Math.max(newest.get(path) ?? 0, await storedGeneration(path));
      const payload = { id: path, object };
      const sealed = await collection.seal({
        id: path,
        payload,
        ...(generation && { generation }),
      });
      const revision = await base.storeFile(SEALED_TYPE, path, sealed.payload);
      if (generation) newest.set(path, generation);
      return revision;
    },

    async getObject(path, maxAge) {
      const data = await dataAt(path, maxAge);
      if (data === undefined) return undefined;
      const sealed = { id: path, payload: sealedText(data), ...atLeast(path, newest) };
      const opened = await collection.open(sealed);
      if (generationOf(opened) > 0) newest?.set(path, generationOf(opened));
      return content(opened.payload);
    },

    async getAll(folder, maxAge) {
      const listing = Object.keys((await base.getListing(folder, maxAge)) as object);
      const names = listing.filter((name) => !name.endsWith('/'));
      const entries = names.map(async (name) => {
        const path = folder + name;
        const data = await dataAt(path, maxAge);
        if (data === undefined) return []; // removed a moment ago
        const arrival = { id: path, sealed: data, payload: () => sealedText(data), content };
        return [[name, await openedOrQuarantined(collection, arrival, options)] as const];
      });
      return Object.fromEntries((await Promise.all(entries)).flat());
    },

    getListing: (folder, maxAge) => base.getListing(folder, maxAge),
    async remove(path) {
      await collection.deleting?.(path);
      return base.remove(path);
    },
  };
}
