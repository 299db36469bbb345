import { fromBase64url, toBase64url } from '../../../src/crypto/bytes.ts';
import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import { inTime } from './in-time.ts';

/** What a CacheStore works with. */
export interface CacheStoreDeps {
  /** The global `caches`. */
  readonly caches: Pick<CacheStorage, 'open'>;
  /** Of all keys, which separates them from others in the cache. */
  readonly prefix: string;
  /** Waited for before every operation. */
  readonly ready?: () => Promise<void>;
}

const CACHE = 'sealwright';
/** A cache takes addresses of the web only. This one is reserved, and is never fetched. */
const BASE = 'https://values.invalid/';
const HEADER = 'x-value';

/**
 * A store in the Cache API of the extension's own origin, which content scripts cannot reach: they have
 * the page's. A value is base64url text in a header of a response without a body. In Firefox, headers are
 * rows of the cache's SQLite database, so that a `put` is one transaction; a body is a file beside it,
 * which is not flushed to the disk.
 *
 * `write` puts the values one by one. The removes follow and may fail alone, which leaves an old record
 * and loses none.
 */
export class CacheStore implements KeyValueStore {
  readonly name = 'cache-storage';
  readonly #deps: CacheStoreDeps;
  #cache: Promise<Cache> | undefined;

  constructor(deps: CacheStoreDeps) {
    this.#deps = deps;
  }

  /** @throws the browser's errors; StoreTimeout; TypeError for a value that is not base64url text */
  async get(key: string): Promise<Uint8Array | undefined> {
    const response = await this.#run((cache) => cache.match(this.#address(key)));
    if (response === undefined) return undefined;
    const text = response.headers.get(HEADER);
    if (text === null) throw new TypeError(`the cache holds no text under ${key}`);
    return fromBase64url(text);
  }

  /** @throws the browser's errors; StoreTimeout. Some of the values may have been written then */
  async write(puts: ReadonlyMap<string, Uint8Array>, removes: readonly string[] = []) {
    await this.#run(async (cache) => {
      // All have ended before a failure is reported: none takes effect after what the caller does next.
      const ends = await Promise.allSettled([...puts].map((entry) => this.#put(cache, ...entry)));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      for (const key of removes) await cache.delete(this.#address(key));
    });
  }

  /** @throws the browser's errors; StoreTimeout */
  async keys(): Promise<string[]> {
    const requests = await this.#run((cache) => cache.keys());
    const { prefix } = this.#deps;
    return requests
      .map(({ url }) => decodeURIComponent(url.slice(BASE.length)))
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  }

  /** False where this browser has no such cache, or gives the extension none. */
  async isThere(): Promise<boolean> {
    try {
      await inTime(this.#opened(), this.name);
      return true;
    } catch (error) {
      this.#cache = undefined;
      return !(error instanceof DOMException && error.name === 'SecurityError');
    }
  }

  #put(cache: Cache, key: string, value: Uint8Array): Promise<void> {
    const response = new Response(null, { headers: { [HEADER]: toBase64url(value) } });
    return cache.put(this.#address(key), response);
  }

  async #run<T>(work: (cache: Cache) => Promise<T>): Promise<T> {
    await this.#deps.ready?.();
    try {
      return await inTime(this.#opened().then(work), this.name);
    } catch (error) {
      this.#cache = undefined;
      throw error;
    }
  }

  #opened(): Promise<Cache> {
    this.#cache ??= this.#deps.caches.open(CACHE);
    return this.#cache;
  }

  #address(key: string): string {
    return BASE + encodeURIComponent(this.#deps.prefix + key);
  }
}
