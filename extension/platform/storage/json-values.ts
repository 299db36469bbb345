import { utf8 } from '../../../src/crypto/bytes.ts';
import type { KeyValueStore, SessionStore } from '../../../src/keys/storage/key-value-store.ts';

/** JSON values in a store of bytes. They live as long as that store's. */
export class JsonValues implements SessionStore {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** @throws the store's errors; SyntaxError for a value that is not JSON */
  async get(key: string): Promise<unknown> {
    const bytes = await this.#store.get(key);
    return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
  }

  /** @throws the store's errors */
  set(key: string, value: unknown): Promise<void> {
    return this.#store.write(new Map([[key, utf8(JSON.stringify(value))]]));
  }

  /** @throws the store's errors */
  remove(key: string): Promise<void> {
    return this.#store.write(new Map(), [key]);
  }
}
