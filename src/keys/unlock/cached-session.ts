import type { SessionStore } from '../storage/key-value-store.ts';

/**
 * A session store that caches values until they change, where the platform's store reports changes
 * (`watch`). Otherwise it only forwards calls.
 */
export class CachedSession implements SessionStore {
  readonly #inner: SessionStore;
  readonly #values: Map<string, unknown> | undefined;
  // Counts changes, so that a value which changed while it was read is not cached.
  #changes = 0;

  constructor(inner: SessionStore) {
    this.#inner = inner;
    if (inner.watch === undefined) return;
    this.#values = new Map();
    inner.watch((key) => this.#invalidate(key));
  }

  async get(key: string): Promise<unknown> {
    if (this.#values?.has(key)) return this.#values.get(key);
    const changes = this.#changes;
    const value = await this.#inner.get(key);
    if (changes === this.#changes) this.#values?.set(key, value);
    return value;
  }

  /** The cached value; undefined where none is cached, or none is stored. */
  cached(key: string): unknown {
    return this.#values?.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    this.#invalidate(key);
    await this.#inner.set(key, value);
    this.#invalidate(key);
  }

  async remove(key: string): Promise<void> {
    this.#invalidate(key);
    await this.#inner.remove(key);
    this.#invalidate(key);
  }

  #invalidate(key: string): void {
    this.#changes++;
    this.#values?.delete(key);
  }
}
