/**
 * A durable map from names to bytes. Two of them hold the vault, on different engines (IndexedDB
 * and storage.local), so that what destroys one leaves the other.
 */
export interface KeyValueStore {
  /** For repair notes, for example `indexed-db`. Never holds user data. */
  readonly name: string;

  /**
   * The value, or undefined where there is none. The caller may keep and change the array.
   * Rejects when the store cannot be read; that is never taken for an empty store.
   */
  get(key: string): Promise<Uint8Array | undefined>;

  /**
   * Writes all `puts` and removes all `removes`, in one transaction where the medium has one, and
   * resolves when the medium has acknowledged them (IndexedDB: durability "strict"). Removing an
   * absent key is no error. Rejects with an error named `QuotaExceededError` (or one whose message
   * says "quota") when there is no room; any other rejection means that the store does not work.
   */
  write(puts: ReadonlyMap<string, Uint8Array>, removes?: readonly string[]): Promise<void>;

  /** Every key, in any order. Rejects when the store cannot be read. */
  keys(): Promise<string[]>;

  /**
   * Optional. False where the browser has no such medium, or cannot open it at all: the vault then
   * lives in the other store alone. A store that is there and fails is another matter.
   */
  isThere?(): Promise<boolean>;
}

/**
 * Survives the worker, not the browser, and never touches the disk; readable by trusted contexts
 * only (storage.session). Values are JSON.
 */
export interface SessionStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;

  /**
   * Optional. Calls `listener` with the key of every change made by any context, this one included.
   * Where it exists the vault remembers values between uses, and its hot path reads no storage.
   */
  watch?(listener: (key: string) => void): void;
}

/** Mutual exclusion between contexts; a holder that dies lets go (navigator.locks). */
export interface Locks {
  /** Runs `work` while nobody else holds `name`. Not re-entrant. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
}
