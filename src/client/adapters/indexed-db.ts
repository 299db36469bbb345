import { jsonOf } from './json.ts';
import { checkOptions, checkProvider, SealwrightClientError } from '../errors.ts';
import { valueOf } from './gathering.ts';
import { sealedMessages, type MessageSealer, type Sealed } from './messages.ts';
import type { SealwrightError } from '../page-api.ts';

/** Options of `indexedDbSealedStore`. */
export interface SealedStoreOptions {
  /** Name of the database. Its values are bound to it. */
  readonly name: string;
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
  readonly indexedDB?: IDBFactory | undefined;
}

/** A value, or why it does not open. */
export type StoredValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: SealwrightError | SealwrightClientError };

/** A store of JSON values. Values are sealed, names are not. */
export interface SealedStore {
  /** @returns undefined if there is none @throws WRONG_PLACE, AUTH_FAILED … */
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
  /** Writes all values in one transaction. */
  putAll(entries: Iterable<readonly [string, unknown]>): Promise<void>;
  /** All values by name. A value that does not open has its error. */
  getAll(): Promise<Map<string, StoredValue>>;
  names(): Promise<string[]>;
  delete(name: string): Promise<void>;
  close(): void;
}

const OBJECTS = 'sealed';

/**
 * A store in IndexedDB with sealed values, which open only while the vault is unlocked. Each value is
 * bound to its name and database, so values cannot be swapped. A value can be replaced by an older
 * value of the same name.
 *
 * @example
 *   const drafts = await indexedDbSealedStore(sealwright, { name: 'drafts' });
 *   await drafts.put('letter', { to: 'Ada', text: 'Dear …' });
 */
export async function indexedDbSealedStore(
  sealwright: MessageSealer,
  options: SealedStoreOptions,
): Promise<SealedStore> {
  checkProvider(sealwright, 'sealMany', 'openMany');
  checkOptions(options, 'name', 'key', 'indexedDB');
  const { name: storeName, key, indexedDB = globalThis.indexedDB } = options;
  const database = await openedDatabase(indexedDB, storeName);
  const messages = sealedMessages(sealwright, `indexedDbSealedStore ${storeName}`, key);
  const objects = (mode: IDBTransactionMode) =>
    database.transaction(OBJECTS, mode).objectStore(OBJECTS);

  const sealedEntry = async ([name, value]: readonly [string, unknown]) =>
    [name, await messages.seal(textOf(name, value))] as const;
  const opened = async (name: string, sealed: Sealed): Promise<StoredValue> => {
    const result = await messages.tryOpen(sealed);
    return result.ok ? read(name, new TextDecoder().decode(result.value)) : result;
  };

  const putAll = async (entries: Iterable<readonly [string, unknown]>): Promise<void> => {
    // Seal before the transaction: it does not wait for other promises.
    const sealed = await Promise.all([...entries].map(sealedEntry));
    const store = objects('readwrite');
    for (const [name, bytes] of sealed) store.put(bytes, name);
    await committed(store.transaction);
  };

  return {
    async get(name) {
      const sealed = (await done(objects('readonly').get(name))) as Sealed | undefined;
      return sealed && valueOf(await opened(name, sealed));
    },

    put: (name, value) => putAll([[name, value]]),
    putAll,

    async getAll() {
      const store = objects('readonly');
      const [names, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      const results = await Promise.all(
        names.map((name, i) => opened(name as string, values[i] as Sealed)),
      );
      return new Map(names.map((name, i) => [name as string, results[i]!]));
    },

    names: () => done(objects('readonly').getAllKeys()) as Promise<string[]>,

    async delete(name) {
      const store = objects('readwrite');
      store.delete(name);
      await committed(store.transaction);
    },

    close: () => database.close(),
  };
}

function textOf(name: string, value: unknown): string {
  if (value === undefined) throw new TypeError(`${name}: undefined cannot be stored; use delete`);
  return jsonOf([name, value]);
}

function read(name: string, text: string): StoredValue {
  const [sealedAs, value] = JSON.parse(text) as [unknown, unknown];
  if (sealedAs === name) return { ok: true, value };
  const words = 'This value was stored under another name.';
  return { ok: false, error: new SealwrightClientError('WRONG_PLACE', words) };
}

async function openedDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(OBJECTS);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error!);
  });
}
