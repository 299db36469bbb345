import { checkOptions, SealwrightClientError } from '../../errors.ts';
import type { HeadStore, StoredRecord } from './collection-with-heads.ts';

/** `remoteStorage.remote` of remotestorage.js: the server itself, without the browser's cache. */
export interface RemoteStorageServer {
  get(path: string, options: object): Promise<unknown>;
  put(path: string, body: string, contentType: string, options: object): Promise<unknown>;
}

/** What it resolves with, errors included. */
interface Answer {
  readonly statusCode: number;
  /** Of a folder, an object with a member for each item. */
  readonly body: unknown;
}

/** Folders, each with a `/` at both ends. */
export interface RemoteStorageHeadsOptions {
  /** The folder of the base client. */
  readonly records: string;
  /** Another one that the app may write. */
  readonly heads: string;
}

/** As `remoteStorageClient` stores records. */
const SEALED_TYPE = 'application/vnd.sealwright.record';
/** Requests at once. */
const TOGETHER = 8;

/**
 * Heads of a folder of a remoteStorage, in another folder. `verify` reads each record by a request of its own.
 *
 * @example
 *   remoteStorage.access.claim('notes-heads', 'rw');
 *   const folders = { records: '/notes/', heads: '/notes-heads/' };
 *   const heads = remoteStorageHeads(remoteStorage.remote, folders);
 */
export function remoteStorageHeads(
  server: RemoteStorageServer,
  options: RemoteStorageHeadsOptions,
): HeadStore {
  checkOptions(options, 'records', 'heads');
  const { records, heads } = options;
  for (const folder of [records, heads]) {
    if (!/^\/(.+\/)?$/.test(folder)) throw new TypeError('folders: expected a / at both ends');
  }
  if (heads.startsWith(records)) {
    throw new TypeError('heads: expected a folder beside that of the records, not in it');
  }

  const get = async (path: string): Promise<unknown> => {
    const { statusCode, body } = (await server.get(path, {})) as Answer;
    if (statusCode === 404) return undefined;
    if (statusCode !== 200) throw refused('read', statusCode);
    return body;
  };

  const pathsIn = async (folder: string): Promise<string[]> => {
    const names = Object.keys(Object((await get(folder)) ?? {}) as object);
    const below = names.map((name) =>
      name.endsWith('/') ? pathsIn(folder + name) : Promise.resolve([folder + name]),
    );
    return (await Promise.all(below)).flat();
  };

  const at = async (folder: string, path: string): Promise<StoredRecord[]> => {
    const body = await get(path);
    if (body === undefined) return []; // removed a moment ago
    return [{ id: path.slice(folder.length), payload: typeof body === 'string' ? body : '' }];
  };

  const all = async (folder: string, paths: readonly string[]): Promise<StoredRecord[]> => {
    const found: StoredRecord[] = [];
    for (let i = 0; i < paths.length; i += TOGETHER) {
      const some = paths.slice(i, i + TOGETHER).map((path) => at(folder, path));
      found.push(...(await Promise.all(some)).flat());
    }
    return found;
  };

  return {
    records: async () => all(records, await pathsIn(records)),
    record: async (id) => (await at(records, records + id))[0],
    async heads() {
      const paths = await pathsIn(heads);
      const isChunk = (path: string): boolean => /-head-[\da-f]{16}-\d+$/.test(path);
      const first = await all(
        heads,
        paths.filter((path) => !isChunk(path)),
      );
      return [...first, ...(await all(heads, paths.filter(isChunk)))];
    },
    async put({ id, payload }) {
      const { statusCode } = (await server.put(heads + id, payload, SEALED_TYPE, {})) as Answer;
      if (statusCode !== 200 && statusCode !== 201) throw refused('write', statusCode);
    },
    // There is no order of versions. A record that was deleted and is made again is later, too.
    generation: async (given = 0, stored) => Math.max(given, 1 + (await stored()), Date.now()),
  };
}

function refused(what: string, status: number): SealwrightClientError {
  return new SealwrightClientError(
    'BAD_RESPONSE',
    `The server did not let the app ${what} (status ${status}).`,
  );
}
