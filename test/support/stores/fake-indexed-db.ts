/*
 * As much of IndexedDB as IndexedDbStore uses, in memory: transactions are all or nothing, events
 * come in later turns, and faults can be planted.
 */

type Values = Map<string, unknown>;

export class FakeIndexedDb {
  readonly values: Values = new Map();
  readonly durabilities: (string | undefined)[] = [];
  readonly opened: FakeDatabase[] = [];
  /** Thrown by the next open, or the next commit. */
  failOpen: Error | undefined;
  failCommit: Error | undefined;
  isBlocked = false;
  #exists = false;

  /** As the global. */
  get factory(): IDBFactory {
    return { open: () => this.#open() } as unknown as IDBFactory;
  }

  #open(): IDBOpenDBRequest {
    const request: Record<string, unknown> = {};
    const fire = (name: string): void => (request[name] as (() => void) | undefined)?.();
    setImmediate(() => {
      if (this.failOpen) {
        request.error = this.failOpen;
        this.failOpen = undefined;
        fire('onerror');
      } else if (this.isBlocked) fire('onblocked');
      else {
        const database = new FakeDatabase(this);
        this.opened.push(database);
        request.result = database;
        if (!this.#exists) fire('onupgradeneeded');
        this.#exists = true;
        fire('onsuccess');
      }
    });
    return request as unknown as IDBOpenDBRequest;
  }
}

export class FakeDatabase {
  onclose: (() => void) | null = null;
  onversionchange: (() => void) | null = null;
  isClosed = false;
  readonly #home: FakeIndexedDb;

  constructor(home: FakeIndexedDb) {
    this.#home = home;
  }

  createObjectStore(): void {
    // One store with out-of-line keys: the map is already there.
  }

  close(): void {
    this.isClosed = true;
  }

  transaction(_name: string, _mode: string, options?: { durability?: string }) {
    if (this.isClosed) throw new DOMException('connection is closing', 'InvalidStateError');
    const home = this.#home;
    home.durabilities.push(options?.durability);
    const draft: Values = new Map(home.values);
    const transaction: Record<string, unknown> = { objectStore: () => objectStore(draft) };
    setImmediate(() => {
      if (home.failCommit) {
        transaction.error = home.failCommit;
        home.failCommit = undefined;
        (transaction.onabort as () => void)();
        return;
      }
      home.values.clear();
      for (const [key, value] of draft) home.values.set(key, value);
      (transaction.oncomplete as () => void)();
    });
    return transaction;
  }
}

function objectStore(draft: Values) {
  return {
    get: (key: string) => ({ result: draft.get(key) }),
    put: (value: unknown, key: string) => void draft.set(key, value),
    delete: (key: string) => void draft.delete(key),
    getAllKeys: () => ({ result: [...draft.keys()] }),
  };
}
