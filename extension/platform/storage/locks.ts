import type { Locks } from '../../../src/keys/storage/key-value-store.ts';

/** Exclusive locks over all contexts of the extension. The browser releases those of a context that ends. */
export class WebLocks implements Locks {
  readonly #manager: LockManager;

  constructor(manager: LockManager) {
    this.#manager = manager;
  }

  async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#manager.request(name, work);
  }
}
