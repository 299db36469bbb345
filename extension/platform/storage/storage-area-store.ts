import type { Storage } from 'webextension-polyfill';
import { fromBase64url, toBase64url } from '../../../src/crypto/bytes.ts';
import type { KeyValueStore, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import { inTime } from './in-time.ts';
import { AreaSessionStore } from './session-store.ts';

/** Stores that outlive the browser, on another engine than IndexedDB. Only the background uses them. */
export interface DurableStores {
  /** The vault's second store. */
  readonly vaultCopy: KeyValueStore;
  /** Notes and settings of the background, in clear. */
  readonly notes: SessionStore;
  /** What the extension's own pages store, in clear. */
  readonly pageValues: SessionStore;
}

/** All of them over `storage.local`. Their names there are those of all versions. */
export function areaStores(area: Storage.StorageArea): DurableStores {
  return {
    vaultCopy: new StorageAreaStore(area, 'vault/'),
    notes: new AreaSessionStore(area, 'note/'),
    pageValues: new AreaSessionStore(area, 'ui.'),
  };
}

/**
 * The vault's second store, over `storage.local`. It has another engine than IndexedDB, so that one
 * fault does not damage both. The area holds JSON, so values are base64url text.
 *
 * `write` stores all puts as one batch. The removes follow and may fail alone, which leaves an old
 * record and loses none.
 */
export class StorageAreaStore implements KeyValueStore {
  readonly name = 'storage-local';
  readonly #area: Storage.StorageArea;
  readonly #prefix: string;

  /** @param prefix of all keys, which separates them from others in the area */
  constructor(area: Storage.StorageArea, prefix: string) {
    this.#area = area;
    this.#prefix = prefix;
  }

  /** @throws the area's errors; StoreTimeout; TypeError for a value that is not base64url text */
  async get(key: string): Promise<Uint8Array | undefined> {
    const name = this.#prefix + key;
    const stored = (await this.#inTime(this.#area.get(name)))[name];
    if (stored === undefined) return undefined;
    if (typeof stored !== 'string') throw new TypeError(`storage.local holds no text under ${key}`);
    return fromBase64url(stored);
  }

  async write(puts: ReadonlyMap<string, Uint8Array>, removes: readonly string[] = []) {
    const texts = [...puts].map(
      ([key, value]) => [this.#prefix + key, toBase64url(value)] as const,
    );
    if (texts.length > 0) await this.#inTime(this.#area.set(Object.fromEntries(texts)));
    if (removes.length > 0) {
      await this.#inTime(this.#area.remove(removes.map((key) => this.#prefix + key)));
    }
  }

  async keys(): Promise<string[]> {
    const all = Object.keys(await this.#inTime(this.#area.get(null)));
    return all
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return inTime(work, this.name);
  }
}
