import type { Storage } from 'webextension-polyfill';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { ForbiddenMediumError, MediumError, type Medium } from '../../../src/keys/media/medium.ts';
import type { Area } from './durable-storage.ts';
import { inTime } from './in-time.ts';

/**
 * The medium over `storage.sync`: the browser copies the area to the other browsers that the person has signed in to the
 * same account, where they have chosen that.
 *
 * Chromium can close the area to content scripts. Where it is not closed, they can forge and remove items as the browser's
 * vendor can, and no more.
 */
export class SyncMedium implements Medium {
  readonly #area: Storage.StorageArea;
  readonly #mayWrite: () => Promise<boolean>;

  /** @param mayWrite whether the person allows now that items leave this device */
  constructor(area: Area, mayWrite: () => Promise<boolean>) {
    this.#area = area;
    this.#mayWrite = mayWrite;
    area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => undefined);
  }

  async read(): Promise<ReadonlyMap<string, string>> {
    const stored = await this.#do(() => this.#area.get([...ITEM_NAMES]));
    const texts = ITEM_NAMES.map((name) => [name, stored[name]] as const);
    return new Map(texts.filter((it): it is [string, string] => typeof it[1] === 'string'));
  }

  async write(name: string, text: string): Promise<void> {
    if (!(await this.#do(() => this.#mayWrite()))) throw new ForbiddenMediumError('not allowed');
    await this.#do(() => this.#area.set({ [name]: text }));
  }

  clear(): Promise<void> {
    return this.#do(() => this.#area.remove([...ITEM_NAMES]));
  }

  /** Items have changed, here or on another device. To be called in the first task of the background. */
  onChanged(listener: () => void): void {
    this.#area.onChanged.addListener((changes) => {
      if (ITEM_NAMES.some((name) => name in changes)) listener();
    });
  }

  /** The browser refuses for its limits of writes, or has the area turned off: the reason is of no use to the caller. */
  async #do<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await inTime(work(), 'storage-sync');
    } catch (cause) {
      throw new MediumError('storage.sync fails', { cause });
    }
  }
}
