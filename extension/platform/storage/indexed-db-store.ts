import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import { inTime } from './in-time.ts';

const OBJECT_STORE = 'records';

/** The store failed, with the browser's reason. A missing key is not a failure. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The browser has no IndexedDB. */
class MissingStore extends StoreError {}

/**
 * Names of the browsers' errors where no database can be opened. Firefox: SecurityError where storage
 * is switched off, InvalidStateError in private windows without it; both: UnknownError for files
 * that are damaged beyond reading.
 */
const MISSING = ['SecurityError', 'InvalidStateError', 'UnknownError', 'NotSupportedError'];

/**
 * The vault's first store: one IndexedDB database with out-of-line keys. A write is one
 * transaction of strict durability, so it is all or nothing and on the medium when it resolves.
 *
 * Every operation opens a connection if there is none: the browser may close a database at any time, and
 * a worker that wakes up has no connection. A connection that does not answer in time is dropped, and the
 * next operation opens another.
 */
export class IndexedDbStore implements KeyValueStore {
  readonly name = 'indexed-db';
  readonly #factory: IDBFactory | undefined;
  readonly #database: string;
  #connection: Promise<IDBDatabase> | undefined;

  /** @param factory undefined, or null, where the browser has none */
  constructor(factory: IDBFactory | undefined | null, database: string) {
    this.#factory = factory ?? undefined;
    this.#database = database;
  }

  /** @throws StoreError */
  async get(key: string): Promise<Uint8Array | undefined> {
    const value: unknown = await this.#run('readonly', (store) => valueAt(store, key));
    if (value === undefined || value instanceof Uint8Array) return value;
    throw new StoreError(`IndexedDB holds something else than bytes under ${key}`);
  }

  /** @throws StoreError; then nothing was written */
  async write(puts: ReadonlyMap<string, Uint8Array>, removes: readonly string[] = []) {
    await this.#run('readwrite', (store) => {
      for (const [key, value] of puts) store.put(value, key);
      for (const key of removes) store.delete(key);
    });
  }

  /** @throws StoreError */
  async keys(): Promise<string[]> {
    const keys = await this.#run('readonly', (store) => store.getAllKeys());
    return keys.map(String);
  }

  /** False where this browser has no IndexedDB, or cannot open the database at all. */
  async isThere(): Promise<boolean> {
    try {
      await inTime(this.#connected(), this.name);
      return true;
    } catch (error) {
      this.#connection = undefined;
      return !isMissing(error);
    }
  }

  async #run(mode: 'readwrite', work: (store: IDBObjectStore) => void): Promise<void>;
  async #run<T>(mode: 'readonly', work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T>;
  async #run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => unknown) {
    try {
      return await inTime(this.#attempt(mode, work), this.name);
    } catch (error) {
      this.#connection = undefined;
      throw storeError(error);
    }
  }

  async #attempt(mode: IDBTransactionMode, work: (store: IDBObjectStore) => unknown) {
    const database = await this.#connected();
    const transaction = database.transaction(OBJECT_STORE, mode, { durability: 'strict' });
    const ended = completed(transaction);
    const request = work(transaction.objectStore(OBJECT_STORE)) as IDBRequest<unknown> | undefined;
    await ended;
    return request?.result;
  }

  #connected(): Promise<IDBDatabase> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  async #open(): Promise<IDBDatabase> {
    if (this.#factory === undefined) throw new MissingStore('This browser has no IndexedDB');
    const database = await opened(this.#factory.open(this.#database, 1));
    database.onclose = () => (this.#connection = undefined);
    database.onversionchange = () => {
      database.close();
      this.#connection = undefined;
    };
    return database;
  }
}

/** The type of a stored value is unknown until it is checked. */
function valueAt(store: IDBObjectStore, key: string): IDBRequest<unknown> {
  return store.get(key) as IDBRequest<unknown>;
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore(OBJECT_STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(storeError(request.error));
    request.onblocked = () => reject(new StoreError('IndexedDB is held open by another version'));
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(storeError(transaction.error));
    transaction.onerror = () => reject(storeError(transaction.error));
  });
}

function isMissing(error: unknown): boolean {
  if (error instanceof MissingStore) return true;
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof DOMException && MISSING.includes(cause.name);
}

function storeError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : 'aborted';
  return new StoreError(`IndexedDB failed (${reason})`, { cause });
}
