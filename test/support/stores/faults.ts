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
  readonly #fault: Fault | undefined;
  readonly #at: number;
  readonly #store: string | undefined;
  readonly died: Promise<void>;
  operations = 0;
  #dead = false;
  #full: string | undefined;
  #tellDeath: () => void = () => undefined;

  /**
   * @param at which operation, from 1; 0: none, to count them
   * @param store name of the only store that may be full: from this operation on, it is
   */
  constructor(fault?: Fault, at = 0, store?: string) {
    this.#fault = fault;
    this.#at = at;
    this.#store = store;
    this.died = new Promise((resolve) => (this.#tellDeath = resolve));
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
    this.operations++;
    if (this.#store !== undefined && this.operations >= this.#at) this.#full = this.#store;
    if (this.#full === store && write?.adds) throw quotaError();
    if (this.operations !== this.#at || this.#store !== undefined) return work();
    switch (this.#fault) {
      case 'quota':
        if (!write) return work();
        this.#full = store;
        throw quotaError();
      case 'throw':
        throw new Error('An unexpected error occurred');
      case 'throw-after':
        await work();
        throw new Error('An unexpected error occurred');
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
  return Object.assign(new Error('The quota has been exceeded.'), { name: 'QuotaExceededError' });
}
