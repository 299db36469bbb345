/*
 * The part of IndexedDB that indexedDbSealedStore uses, in memory: one object store per database, and atomic
 * transactions that commit in a later task.
 */
type Rows = Map<string, Uint8Array>;

export class MemoryIndexedDb {
  readonly #databases = new Map<string, Rows>();
  closed = 0;
  /** If set, the next commit fails with it. */
  failCommit: DOMException | undefined;

  rows(name: string): Rows {
    return this.#databases.get(name)!;
  }

  get factory(): IDBFactory {
    return { open: (name: string) => this.#open(name) } as unknown as IDBFactory;
  }

  #open(name: string): object {
    const request = answered(() => ({
      createObjectStore: () => this.#databases.set(name, new Map()),
      transaction: () => ({ objectStore: () => this.#store(this.rows(name)) }),
      close: () => (this.closed += 1),
    }));
    if (!this.#databases.has(name)) setImmediate(() => request['onupgradeneeded']?.());
    return request;
  }

  #store(rows: Rows): object {
    const draft = new Map(rows);
    return {
      get: (name: string) => answered(() => rows.get(name)),
      getAllKeys: () => answered(() => sorted(rows).map(([name]) => name)),
      getAll: () => answered(() => sorted(rows).map(([, bytes]) => bytes)),
      put: (bytes: Uint8Array, name: string) => void draft.set(name, bytes),
      delete: (name: string) => void draft.delete(name),
      transaction: this.#transaction(rows, draft),
    };
  }

  #transaction(rows: Rows, draft: Rows): object {
    const transaction: Record<string, unknown> = {};
    setImmediate(() => {
      const failed = this.failCommit;
      this.failCommit = undefined;
      transaction['error'] = failed;
      if (!failed) {
        rows.clear();
        for (const [name, bytes] of draft) rows.set(name, bytes);
      }
      (transaction[failed ? 'onabort' : 'oncomplete'] as (() => void) | undefined)?.();
    });
    return transaction;
  }
}

type Request = Record<'onsuccess' | 'onupgradeneeded', (() => void) | undefined> & {
  result?: unknown;
};

/** A request that succeeds two tasks later, after an upgrade if there is one. */
function answered(result: () => unknown): Request {
  const request = {} as Request;
  setImmediate(() => {
    request.result = result();
    setImmediate(() => request.onsuccess?.());
  });
  return request;
}

function sorted(rows: Rows): [string, Uint8Array][] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
}
