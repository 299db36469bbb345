import { equal } from '../../crypto/bytes.ts';
import type { KeyValueStore } from './key-value-store.ts';

/** One value in one store: its bytes, or why there are none. */
export type Reading =
  | { readonly state: 'present'; readonly bytes: Uint8Array }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable' };

/** Damage that was met, and whether the good copy has been put in its place. */
export interface Repair {
  /** KeyValueStore.name. */
  readonly store: string;
  /** The stored value's name. */
  readonly name: string;
  readonly damage: 'missing' | 'damaged' | 'unreadable';
  readonly mended: boolean;
}

export interface Inventory {
  /** Names of vault values in each readable store. */
  readonly names: ReadonlySet<string>;
  /** Whether both stores are there and could be read. */
  readonly complete: boolean;
}

/** Looks at bytes and says what they are; undefined: not what they should be. */
export type Accept<T> = (bytes: Uint8Array) => T | undefined | Promise<T | undefined>;

export interface Found<T> {
  readonly value: T;
  readonly bytes: Uint8Array;
}

interface Copy {
  readonly store: KeyValueStore;
  readonly reading: Reading;
}

interface Wound {
  readonly store: KeyValueStore;
  readonly name: string;
  readonly good: Uint8Array;
  readonly damage: Repair['damage'];
}

const REPAIRS_KEPT = 100;

/**
 * The same values in two stores: reads whichever copy verifies, remembers the one that does not,
 * and mends it when told to. A store that throws counts as a damaged copy, never as an empty one;
 * one that the browser does not have is left out, and filled when it is there again.
 */
export class Replicas {
  /** The primary store first. */
  readonly stores: readonly [primary: KeyValueStore, copy: KeyValueStore];
  readonly #wounds = new Map<string, Wound>();
  readonly #repairs: Repair[] = [];

  constructor(primary: KeyValueStore, copy: KeyValueStore) {
    this.stores = [primary, copy];
  }

  /** The last repairs, oldest first. */
  get repairs(): readonly Repair[] {
    return [...this.#repairs];
  }

  get wounded(): boolean {
    return this.#wounds.size > 0;
  }

  /** The stores that this browser has: both, but where a medium is missing. */
  async present(): Promise<readonly KeyValueStore[]> {
    const isThere = await Promise.all(this.stores.map(isStoreThere));
    const present = this.stores.filter((_, index) => isThere[index]);
    return present.length > 0 ? present : this.stores; // none: let their errors speak
  }

  async inventory(isOurs: (name: string) => boolean): Promise<Inventory> {
    const listings = await Promise.all(this.stores.map(readKeys));
    const names = listings.flatMap((listing) => listing ?? []).filter(isOurs);
    return { names: new Set(names), complete: listings.every((listing) => listing !== undefined) };
  }

  /** The first copy that is accepted; looks at the other store only where the first fails. */
  async find<T>(name: string, accept: Accept<T>): Promise<Found<T> | undefined> {
    const failed: [KeyValueStore, Repair['damage']][] = [];
    for (const store of await this.present()) {
      const reading = await read(store, name);
      const value = reading.state === 'present' ? await accept(reading.bytes) : undefined;
      if (reading.state === 'present' && value !== undefined) {
        for (const [other, damage] of failed) this.#wound(other, name, reading.bytes, damage);
        return { value, bytes: reading.bytes };
      }
      failed.push([store, reading.state === 'present' ? 'damaged' : reading.state]);
    }
    return undefined;
  }

  /** As `find`, but looks at every copy, and compares the others with the accepted one. */
  async examine<T>(name: string, accept: Accept<T>): Promise<Found<T> | undefined> {
    const copies = await this.#copies(name);
    for (const { reading } of copies) {
      if (reading.state !== 'present') continue;
      const value = await accept(reading.bytes);
      if (value === undefined) continue;
      this.#compare(name, copies, reading.bytes);
      return { value, bytes: reading.bytes };
    }
    return undefined;
  }

  /** A value in each store that is present, the primary's first. */
  async copies(name: string): Promise<Reading[]> {
    return (await this.#copies(name)).map(({ reading }) => reading);
  }

  /**
   * Puts good copies where bad ones were met. Call under the vault's lock. A store that refuses
   * stays damaged: the other copy still serves, and the next look meets the damage again.
   *
   * @returns whether every copy is good now
   */
  async mend(): Promise<boolean> {
    const wounds = [...this.#wounds.values()];
    this.#wounds.clear();
    let whole = true;
    for (const { store, name, good, damage } of wounds) {
      const mended = await succeeds(writeVerified(store, new Map([[name, good]])));
      this.#note({ store: store.name, name, damage, mended });
      whole &&= mended;
    }
    return whole;
  }

  /** Removes values that nothing refers to. What cannot be removed now is met again next time. */
  async collect(isGarbage: (name: string) => boolean): Promise<void> {
    for (const store of await this.present()) {
      const garbage = (await readKeys(store))?.filter(isGarbage) ?? [];
      if (garbage.length > 0) await succeeds(store.write(new Map(), garbage));
    }
  }

  /** Says that every store should hold `good` under this name; `mend` writes it where it is not. */
  async expect(name: string, good: Uint8Array): Promise<void> {
    this.#compare(name, await this.#copies(name), good);
  }

  /** Notes damage that no copy can mend. */
  noteLoss(name: string): void {
    for (const { name: store } of this.stores) {
      this.#note({ store, name, damage: 'damaged', mended: false });
    }
  }

  async #copies(name: string): Promise<Copy[]> {
    const stores = await this.present();
    return Promise.all(stores.map(async (store) => ({ store, reading: await read(store, name) })));
  }

  #compare(name: string, copies: readonly Copy[], good: Uint8Array): void {
    for (const { store, reading } of copies) {
      if (reading.state !== 'present') this.#wound(store, name, good, reading.state);
      else if (!equal(reading.bytes, good)) this.#wound(store, name, good, 'damaged');
    }
  }

  #wound(store: KeyValueStore, name: string, good: Uint8Array, damage: Repair['damage']): void {
    this.#wounds.set(`${this.stores.indexOf(store)} ${name}`, { store, name, good, damage });
  }

  #note(repair: Repair): void {
    this.#repairs.push(repair);
    if (this.#repairs.length > REPAIRS_KEPT) this.#repairs.shift();
  }
}

/**
 * Writes, reads back and compares.
 *
 * @param check looks at what was read back; false is a failed write
 */
export async function writeVerified(
  store: KeyValueStore,
  puts: ReadonlyMap<string, Uint8Array>,
  removes: readonly string[] = [],
  check: (name: string, bytes: Uint8Array) => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  await store.write(puts, removes);
  for (const [name, bytes] of puts) {
    const back = await store.get(name);
    if (back === undefined || !equal(back, bytes) || !(await check(name, back))) {
      throw new Error(`${store.name}: what was written does not read back`);
    }
  }
}

async function isStoreThere(store: KeyValueStore): Promise<boolean> {
  return (await store.isThere?.()) ?? true;
}

/** For what is allowed to fail, because the next look meets it again. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}

// A store that throws is a finding here, not an error: the other store answers for it.
async function read(store: KeyValueStore, name: string): Promise<Reading> {
  try {
    const bytes = await store.get(name);
    return bytes === undefined ? { state: 'missing' } : { state: 'present', bytes };
  } catch {
    return { state: 'unreadable' };
  }
}

async function readKeys(store: KeyValueStore): Promise<string[] | undefined> {
  try {
    return await store.keys();
  } catch {
    return undefined;
  }
}
