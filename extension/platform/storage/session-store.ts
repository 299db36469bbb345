import type { Storage } from 'webextension-polyfill';
import type { SessionStore } from '../../../src/keys/storage/key-value-store.ts';

/**
 * A SessionStore over a storage area. Values in `storage.session` outlive the worker and end with the
 * browser; those in `storage.local` outlive both.
 */
export class AreaSessionStore implements SessionStore {
  readonly #area: Storage.StorageArea;
  readonly #prefix: string;

  /** @param prefix of all keys, which separates them from others in the area */
  constructor(area: Storage.StorageArea, prefix: string) {
    this.#area = area;
    this.#prefix = prefix;
  }

  async get(key: string): Promise<unknown> {
    const name = this.#prefix + key;
    return (await this.#area.get(name))[name];
  }

  set(key: string, value: unknown): Promise<void> {
    return this.#area.set({ [this.#prefix + key]: value });
  }

  remove(key: string): Promise<void> {
    return this.#area.remove(this.#prefix + key);
  }

  watch(listener: (key: string) => void): void {
    this.#area.onChanged.addListener((changes) => {
      for (const name of Object.keys(changes)) {
        if (name.startsWith(this.#prefix)) listener(name.slice(this.#prefix.length));
      }
    });
  }
}
