import type { Storage } from 'webextension-polyfill';

/** `storage.local` and its like: JSON in, JSON out, and a word to those who watch. */
export class FakeStorageArea {
  readonly values = new Map<string, string>();
  readonly accessLevels: unknown[] = [];
  readonly #listeners: ((changes: Record<string, unknown>) => void)[] = [];

  get area(): Storage.StorageArea {
    return this as unknown as Storage.StorageArea;
  }

  readonly onChanged = {
    addListener: (listener: (changes: Record<string, unknown>) => void): void =>
      void this.#listeners.push(listener),
  };

  get(keys: string | readonly string[] | null): Promise<Record<string, unknown>> {
    const names =
      keys === null ? [...this.values.keys()] : [keys].flat().filter((k) => this.values.has(k));
    const entries = names.map((name) => [name, JSON.parse(this.values.get(name)!) as unknown]);
    return Promise.resolve(Object.fromEntries(entries) as Record<string, unknown>);
  }

  set(items: Record<string, unknown>): Promise<void> {
    for (const [name, value] of Object.entries(items)) {
      this.values.set(name, JSON.stringify(value));
    }
    return this.#changed(Object.keys(items));
  }

  remove(keys: string | string[]): Promise<void> {
    const names = [keys].flat();
    for (const name of names) this.values.delete(name);
    return this.#changed(names);
  }

  setAccessLevel(level: unknown): Promise<void> {
    this.accessLevels.push(level);
    return Promise.resolve();
  }

  #changed(names: readonly string[]): Promise<void> {
    const changes = Object.fromEntries(names.map((name) => [name, {}]));
    for (const listener of this.#listeners) listener(changes);
    return Promise.resolve();
  }
}
