import { createHmac, randomBytes } from 'node:crypto';
import type { KeyValueStore, Locks, SessionStore } from '../../src/keys/storage/key-value-store.ts';
import type { PassphraseKdf } from '../../src/keys/unlock/passphrase.ts';

/** A KeyValueStore in memory, atomic as IndexedDB is. `values` may be damaged by tests. */
export class MemoryStore implements KeyValueStore {
  readonly name: string;
  readonly values = new Map<string, Uint8Array>();
  reads = 0;
  writes = 0;

  constructor(name = 'memory') {
    this.name = name;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await turn();
    this.reads++;
    return this.values.get(key)?.slice();
  }

  async write(puts: ReadonlyMap<string, Uint8Array>, removes: readonly string[] = []) {
    await turn();
    this.writes++;
    for (const key of removes) this.values.delete(key);
    for (const [key, bytes] of puts) this.values.set(key, bytes.slice());
  }

  async keys(): Promise<string[]> {
    await turn();
    this.reads++;
    return [...this.values.keys()];
  }

  /** The same values in a store of their own. */
  clone(): MemoryStore {
    const copy = new MemoryStore(this.name);
    for (const [key, bytes] of this.values) copy.values.set(key, bytes.slice());
    return copy;
  }
}

/** A SessionStore in memory; values pass through JSON, as they do in storage.session. */
export class MemorySession implements SessionStore {
  readonly values = new Map<string, string>();
  reads = 0;
  protected readonly listeners: ((key: string) => void)[] = [];

  async get(key: string): Promise<unknown> {
    await turn();
    this.reads++;
    const text = this.values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async set(key: string, value: unknown): Promise<void> {
    await turn();
    // Chromium's store gives objects back with their keys sorted, whatever order they went in.
    this.values.set(key, JSON.stringify(value, sortedKeys));
    this.#changed(key);
  }

  async remove(key: string): Promise<void> {
    await turn();
    this.values.delete(key);
    this.#changed(key);
  }

  clone(): MemorySession {
    const copy = new MemorySession();
    for (const [key, text] of this.values) copy.values.set(key, text);
    return copy;
  }

  #changed(key: string): void {
    for (const listener of this.listeners) listener(key);
  }
}

/** One that tells of changes. */
export class WatchedSession extends MemorySession {
  watch(listener: (key: string) => void): void {
    this.listeners.push(listener);
  }
}

/** Locks in memory: first come, first served. */
export class MemoryLocks implements Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(name, result);
    return result;
  }
}

/** The operating system's randomness. */
export const systemRandom = { bytes: (length: number) => new Uint8Array(randomBytes(length)) };

/** Instead of Argon2id, where its cost is not the matter: HMAC over salt and cost. */
export const cheapKdf: PassphraseKdf = (passphrase, salt, cost) => {
  const { memoryKiB, passes, parallelism } = cost;
  const label = `${memoryKiB} ${passes} ${parallelism} `;
  const hmac = createHmac('sha256', salt).update(label).update(passphrase);
  return Promise.resolve(new Uint8Array(hmac.digest()));
};

function turn(): Promise<void> {
  return Promise.resolve();
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
