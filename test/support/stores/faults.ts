import type { KeyValueStore, SessionStore } from '../../../src/keys/storage/key-value-store.ts';

/**
 * What happens at the chosen operation:
 * - throw: nothing is done, the operation rejects; later ones work
 * - quota: as throw, for writes only, with the browsers' error for a full store, and every later
 *   write of that store that adds anything fails too
 * - throw-after: it is done, and rejects all the same
 * - die: the worker is gone before it; it and all later ones never settle
 * - die-after: the worker is gone after it was done
 * - die-torn: the worker is gone after half of the values were written (no transaction)
 */
export type Fault = 'throw' | 'quota' | 'throw-after' | 'die' | 'die-after' | 'die-torn';

/** What a store rejects with in place of its medium's error. */
export class InjectedError extends Error {}

export const FAULTS: readonly Fault[] = [
  'throw',
  'quota',
  'throw-after',
  'die',
  'die-after',
  'die-torn',
];

/** Counts the operations of all stores of one worker, and lets the chosen one go wrong. */
export class Faults {
  #fault: Fault | undefined;
  #at: number;
  readonly #store: string | undefined;
  readonly died: Promise<void>;
  /** Names of the stores that the browser lacks: each of their operations is rejected. */
  readonly missing: Set<string>;
  /** Called before each operation on a store. */
  before: () => void = () => undefined;
  operations = 0;
  #dead = false;
  #full: string | undefined;
  #tellDeath: () => void = () => undefined;

  /**
   * @param at which operation, from 1; 0: none, to count them
   * @param store name of the only store that may be full: from this operation on, it is
   * @param missing may be shared by the workers of one browser
   */
  constructor(fault?: Fault, at = 0, store?: string, missing = new Set<string>()) {
    this.#fault = fault;
    this.#at = at;
    this.#store = store;
    this.missing = missing;
    this.died = new Promise((resolve) => (this.#tellDeath = resolve));
  }

  /** Counts anew, with another fault or none; the store that was full has room again. */
  arm(fault?: Fault, at = 0): void {
    this.#fault = fault;
    this.#at = at;
    this.#full = undefined;
    this.operations = 0;
  }

  /** Whether the worker is gone. */
  get isDead(): boolean {
    return this.#dead;
  }

  get happened(): boolean {
    return this.#at > 0 && this.operations >= this.#at;
  }

  /** @param atomic whether the medium has transactions, so that no write is torn */
  store(inner: KeyValueStore, atomic: boolean): KeyValueStore {
    return {
      name: inner.name,
      get: (key) => this.#run(inner.name, () => inner.get(key)),
      keys: () => this.#run(inner.name, () => inner.keys()),
      write: (puts, removes) => {
        const torn = atomic ? undefined : () => inner.write(firstHalf(puts));
        return this.#run(inner.name, () => inner.write(puts, removes), {
          adds: puts.size > 0,
          torn,
        });
      },
      isThere: () => Promise.resolve(!this.missing.has(inner.name)),
    };
  }

  session(inner: SessionStore): SessionStore {
    return {
      get: (key) => this.#run('session', () => inner.get(key)),
      set: (key, value) => this.#run('session', () => inner.set(key, value)),
      remove: (key) => this.#run('session', () => inner.remove(key)),
    };
  }

  async #run<T>(
    store: string,
    work: () => Promise<T>,
    write?: { adds: boolean; torn: (() => Promise<unknown>) | undefined },
  ): Promise<T> {
    if (this.#dead) return new Promise(() => undefined);
    this.before();
    this.operations++;
    if (this.missing.has(store)) throw new InjectedError('The operation failed for other reasons');
    if (this.#store !== undefined && this.operations >= this.#at) this.#full = this.#store;
    if (this.#full === store && write?.adds) throw quotaError();
    if (this.operations !== this.#at || this.#store !== undefined) return work();
    switch (this.#fault) {
      case 'quota':
        if (!write) return work();
        this.#full = store;
        throw quotaError();
      case 'throw':
        throw new InjectedError('An unexpected error occurred');
      case 'throw-after':
        await work();
        throw new InjectedError('An unexpected error occurred');
      case 'die-after':
        await work();
        return this.#die();
      case 'die-torn':
        await (write?.torn ?? work)();
        return this.#die();
      default:
        return this.#die();
    }
  }

  #die(): Promise<never> {
    this.#dead = true;
    this.#tellDeath();
    return new Promise(() => undefined);
  }
}

function firstHalf(puts: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...puts].slice(0, Math.ceil(puts.size / 2)));
}

function quotaError(): Error {
  const error = new InjectedError('The quota has been exceeded.');
  return Object.assign(error, { name: 'QuotaExceededError' });
}
