import type { SessionStore } from '../storage/key-value-store.ts';

/**
 * A session store that remembers values while nobody changes them, where the platform's store can
 * tell of changes (`watch`); otherwise it only passes calls on.
 */
export class CachedSession implements SessionStore {
  readonly #inner: SessionStore;
  readonly #values: Map<string, unknown> | undefined;
  // Counts changes, so that a read which a change overtook is not remembered.
  #changes = 0;

  constructor(inner: SessionStore) {
    this.#inner = inner;
    if (inner.watch === undefined) return;
    this.#values = new Map();
    inner.watch((key) => this.#changed(key));
  }

  async get(key: string): Promise<unknown> {
    if (this.#values?.has(key)) return this.#values.get(key);
    const changes = this.#changes;
    const value = await this.#inner.get(key);
    if (changes === this.#changes) this.#values?.set(key, value);
    return value;
  }

  /** The value where it is remembered, else undefined: one that there is not is as good as unknown. */
  known(key: string): unknown {
    return this.#values?.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    this.#changed(key);
    await this.#inner.set(key, value);
    this.#changed(key);
  }

  async remove(key: string): Promise<void> {
    this.#changed(key);
    await this.#inner.remove(key);
    this.#changed(key);
  }

  #changed(key: string): void {
    this.#changes++;
    this.#values?.delete(key);
  }
}
