import type { Storage } from 'webextension-polyfill';
import type { SessionStore } from '../../../src/keys/storage/key-value-store.ts';

type Area = Storage.StorageArea & {
  setAccessLevel?(level: { accessLevel: 'TRUSTED_CONTEXTS' }): Promise<void>;
};

/**
 * A SessionStore over a storage area. Values in `storage.session` outlive the worker and end with the
 * browser; those in `storage.local` outlive both.
 */
export class AreaSessionStore implements SessionStore {
  readonly #area: Area;
  readonly #prefix: string;

  /** @param prefix of all keys, which separates them from others in the area */
  constructor(area: Area, prefix: string) {
    this.#area = area;
    this.#prefix = prefix;
  }

  /**
   * Denies access to content scripts. That is the default where the call exists (Chromium), and the only
   * behaviour where it does not (Firefox). It is called anyway, because the area holds the unlocked key.
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
