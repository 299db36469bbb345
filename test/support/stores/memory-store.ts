import { createHmac, randomBytes } from 'node:crypto';
import {
  MemorySession as PlainSession,
  MemoryStore as PlainStore,
} from '../../../extension/testing/memory.ts';
import type { PassphraseKdf } from '../../../src/format/passphrase.ts';

/** A store of the extension in memory, which counts. `values` may be damaged by tests. */
export class MemoryStore extends PlainStore {
  reads = 0;
  writes = 0;

  override async get(key: string): Promise<Uint8Array | undefined> {
    const value = await super.get(key);
    this.reads++;
    return value;
  }

  override async write(puts: ReadonlyMap<string, Uint8Array>, removes: readonly string[] = []) {
    await super.write(puts, removes);
    this.writes++;
  }

  override async keys(): Promise<string[]> {
    const keys = await super.keys();
    this.reads++;
    return keys;
  }

  /** The same values in a store of their own. */
  clone(): MemoryStore {
    const copy = new MemoryStore(this.name);
    for (const [key, bytes] of this.values) copy.values.set(key, bytes.slice());
    return copy;
  }
}

/** A session store in memory, which counts its reads. */
export class MemorySession extends PlainSession {
  reads = 0;
  protected readonly listeners: ((key: string) => void)[] = [];

  override async get(key: string): Promise<unknown> {
    const value = await super.get(key);
    this.reads++;
    return value;
  }

  override async set(key: string, value: unknown): Promise<void> {
    await super.set(key, value);
    this.#changed(key);
  }

  override async remove(key: string): Promise<void> {
    await super.remove(key);
    this.#changed(key);
  }

  clone(): MemorySession {
    const copy = new MemorySession();
    for (const [key, text] of this.values) copy.values.set(key, text);
    return copy;
  }

  #changed(key: string): void {
    for (const listener of this.listeners) listener(key);
  }
}

/** One that tells of changes. */
export class WatchedSession extends MemorySession {
  watch(listener: (key: string) => void): void {
    this.listeners.push(listener);
  }
}

/** The operating system's randomness. */
export const systemRandom = { bytes: (length: number) => new Uint8Array(randomBytes(length)) };

/** Instead of Argon2id, where its cost is not the matter: HMAC over salt and cost. */
export const cheapKdf: PassphraseKdf = (passphrase, salt, cost) => {
  const { memoryKiB, passes, parallelism } = cost;
  const label = `${memoryKiB} ${passes} ${parallelism} `;
  const hmac = createHmac('sha256', salt).update(label).update(passphrase);
  return Promise.resolve(new Uint8Array(hmac.digest()));
};
