import type { Storage } from 'webextension-polyfill';
import type { SessionStore } from '../../../src/keys/storage/key-value-store.ts';

type Area = Storage.StorageArea & {
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
};

/**
 * A SessionStore over a storage area: over `storage.session` it is memory that outlives the worker
 * and ends with the browser, over `storage.local` the notes that outlive both.
 */
export class AreaSessionStore implements SessionStore {
  readonly #area: Area;
  readonly #prefix: string;

  /** @param prefix sets these keys apart from others in the same area */
  constructor(area: Area, prefix: string) {
    this.#area = area;
    this.#prefix = prefix;
  }

  /**
   * Keeps content scripts out. That is the default where the call exists (Chromium), and the only
   * behaviour where it does not (Firefox); said all the same, because the unlocked key lies here.
   */
  async closeToContentScripts(): Promise<void> {
    await this.#area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
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
