/**
 * A durable map from names to bytes. The vault is stored in two of them, on different storage engines
 * (IndexedDB, and storage.local or a cache), so that damage to one leaves the other.
 */
export interface KeyValueStore {
  /** Named in repair reports, for example `indexed-db`. Holds no user data. */
  readonly name: string;

  /**
   * The value, or undefined where there is none. The caller may keep and change the array.
   * Rejects when the store cannot be read; callers never take that for an empty store.
   */
  get(key: string): Promise<Uint8Array | undefined>;

  /**
   * Writes all `puts` and removes all `removes`, in one transaction where the medium has one, and
   * resolves when the medium has acknowledged them (IndexedDB: durability "strict"). Removing an
   * absent key is not an error. Rejects with an error named `QuotaExceededError` (or one whose message
   * says "quota") when there is no space; any other rejection means that the store does not work.
   */
  write(puts: ReadonlyMap<string, Uint8Array>, removes?: readonly string[]): Promise<void>;

  /** Every key, in any order. Rejects when the store cannot be read. */
  keys(): Promise<string[]>;

  /**
   * Optional. False where the browser has no such medium, or cannot open it at all: the vault is then
   * stored in the other store alone. A store that exists and fails rejects its other calls instead.
   */
  isThere?(): Promise<boolean>;
}

/**
 * A map that lives as long as the browser and is never written to disk; only trusted contexts can
 * read it (storage.session). Values are JSON.
 */
export interface SessionStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;

  /**
   * Optional. Calls `listener` with the key of every change made by any context, this one included.
   * Where it exists, the vault caches values, and a warm call reads no storage.
   */
  watch?(listener: (key: string) => void): void;
}

/**
 * Mutual exclusion between contexts; the lock of a context that dies is released (navigator.locks).
 */
export interface Locks {
  /** Runs `work` while it holds the lock `name`. Not re-entrant. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
}
