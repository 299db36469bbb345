import { Contents } from './contents.ts';
import { VaultError } from '../values/errors.ts';
import type { ManifestEntry } from '../values/manifest.ts';
import type { VaultRecord } from '../values/record.ts';
import { succeeds } from '../storage/replicas.ts';
import type { Replicas } from '../storage/replicas.ts';
import { scrub } from '../storage/scrub.ts';
import type { SealingKey } from '../values/vault-seal.ts';
import type { VaultSession } from '../unlock/vault-session.ts';
import type { LoadedGeneration, VaultStore } from './vault-store.ts';

/** What a commit begins with. */
interface WholeVault {
  readonly contents: Contents;
  /** Over the stores that hold it. */
  readonly replicas: Replicas;
  readonly epoch: number;
}

/**
 * What one context caches of the unlocked vault. The cache is valid while the session store names its
 * generation; where it names none, the heads are read. `forget` begins a new epoch: what was read in
 * an older one is not cached any more.
 */
export class OpenedVault {
  readonly #store: VaultStore;
  readonly #session: VaultSession;
  readonly #listeners: (() => void)[] = [];
  readonly #onFirst: ((types: ReadonlySet<string>) => void)[] = [];
  #contents: Contents | undefined;
  #epoch = 0;

  constructor(store: VaultStore, session: VaultSession) {
    this.#store = store;
    this.#session = session;
  }

  /** Grows with every `forget`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Drops all that is cached, as after a lock. */
  forget(): void {
    this.#epoch++;
    this.#contents = undefined;
    for (const forget of this.#listeners) forget();
  }

  /** Calls `forget` after every `forget` and whenever a newer generation is cached. */
  onForget(forget: () => void): void {
    this.#listeners.push(forget);
  }

  /** Calls `listener` with the types of all records when contents are cached and none were before. */
  onFirst(listener: (types: ReadonlySet<string>) => void): void {
    this.#onFirst.push(listener);
  }

  /** Caches contents, unless they were read before the last `forget`. */
  remember(contents: Contents, epoch: number): void {
    if (epoch !== this.#epoch || contents === this.#contents) return;
    const known = this.#contents;
    this.#contents = contents;
    if (known !== undefined) for (const forget of this.#listeners) forget();
    else if (this.#onFirst.length > 0) {
      const types = new Set(contents.entries().map(({ type }) => type));
      for (const listener of this.#onFirst) listener(types);
    }
  }

  /** Whether the cached generation is the one that the session store names. */
  isOfGeneration(mark: number | undefined): boolean {
    return mark !== undefined && this.#contents?.generation.head.generation === mark;
  }

  /** The contents that can be read without the lock; `certain`: they are the newest. */
  async current(key: SealingKey): Promise<{ contents: Contents; certain: boolean }> {
    const epoch = this.#epoch;
    const mark = await this.#session.generation();
    const known = this.#contents;
    if (known !== undefined && known.generation.head.generation === mark) {
      return { contents: known, certain: true };
    }
    const loaded = await this.#store.load(key, known?.generation);
    const contents = this.#contentsOf(loaded);
    const certain = loaded.heads.settled && loaded.head.generation === mark;
    if (certain) this.remember(contents, epoch);
    return { contents, certain };
  }

  /**
   * The newest contents; both stores are repaired as far as they allow. Call under the lock.
   *
   * @throws VaultError QUOTA or UNAVAILABLE where two lines cannot be joined
   */
  async settle(key: SealingKey): Promise<Contents> {
    const epoch = this.#epoch;
    const loaded = await this.#store.loadOneLine(key, this.#contents?.generation);
    if (!loaded.heads.settled) await scrub(key, loaded);
    const contents = this.#contentsOf(loaded);
    this.remember(contents, epoch);
    await succeeds(this.#session.setGeneration(loaded.head.generation));
    return contents;
  }

  /**
   * The newest contents, with all stores fully repaired: a commit needs that. Call under the lock.
   *
   * @throws VaultError UNAVAILABLE where a store cannot be repaired
   */
  async whole(key: SealingKey): Promise<WholeVault> {
    const epoch = this.#epoch;
    let loaded = await this.#store.loadOneLine(key, this.#contents?.generation);
    if (!loaded.heads.settled) {
      if (!(await scrub(key, loaded))) throw new VaultError('UNAVAILABLE');
      loaded = await this.#store.load(key, loaded);
    }
    const contents = this.#contentsOf(loaded);
    return { contents, replicas: loaded.replicas, epoch };
  }

  /**
   * Opens one record, or takes it from the cache.
   *
   * @throws VaultError CORRUPT where both copies are damaged
   */
  async record(key: SealingKey, contents: Contents, entry: ManifestEntry): Promise<VaultRecord> {
    const opened = contents.opened(entry.name);
    if (opened !== undefined) return opened;
    const record = await this.#store.readRecord(key, entry);
    contents.remember(entry.name, record);
    return record;
  }

  #contentsOf(loaded: LoadedGeneration): Contents {
    const known = this.#contents;
    // `load` returns the same object where it is still the newest.
    return known?.generation.manifest === loaded.manifest ? known : new Contents(loaded);
  }
}
