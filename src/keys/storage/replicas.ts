import { equal } from '../../crypto/bytes.ts';
import type { KeyValueStore } from './key-value-store.ts';

/** One value in one store: its bytes, or why there are none. */
export type Reading =
  | { readonly state: 'present'; readonly bytes: Uint8Array }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable' };

/** Damage that was found, and whether it was repaired from the good copy. */
export interface Repair {
  /** KeyValueStore.name. */
  readonly store: string;
  /** The stored value's name. */
  readonly name: string;
  readonly damage: 'missing' | 'damaged' | 'unreadable';
  readonly mended: boolean;
}

/** The names in both stores. */
export interface Inventory {
  /** Names of vault values in each readable store. */
  readonly names: ReadonlySet<string>;
  /** Whether all stores are there and could be read. */
  readonly complete: boolean;
}

/** Parses bytes; undefined where they are not what they should be. */
export type Accept<T> = (bytes: Uint8Array) => T | undefined | Promise<T | undefined>;

/** A value that was accepted, with its bytes. */
export interface Found<T> {
  readonly value: T;
  readonly bytes: Uint8Array;
}

interface Copy {
  readonly store: KeyValueStore;
  readonly reading: Reading;
}

/** A bad copy and the bytes that should be there. */
interface Damage {
  readonly store: KeyValueStore;
  readonly name: string;
  readonly good: Uint8Array;
  readonly damage: Repair['damage'];
}

/** What instances over the same stores share, and the stores that this one is restricted to. */
interface View {
  readonly damages: Map<string, Damage>;
  readonly repairs: Repair[];
  readonly present?: readonly KeyValueStore[];
}

/** Repairs that are remembered, for the user to be told of. */
const REPAIRS_KEPT = 100;

/**
 * The same values in two stores. Reads the copy that verifies, remembers the one that does not, and
 * repairs it when `mend` is called. A store that throws counts as a damaged copy, never as an empty
 * one. A store that the browser does not have is left out, and filled when it is back.
 */
export class Replicas {
  /** The primary store first. */
  readonly stores: readonly KeyValueStore[];
  readonly #view: View;
  readonly #damages: Map<string, Damage>;
  readonly #repairs: Repair[];

  /** @param primary null where this mode of the browser has none: the copy is all that there can be */
  constructor(
    primary: KeyValueStore | null,
    copy: KeyValueStore,
    view: View = { damages: new Map(), repairs: [] },
  ) {
    this.stores = primary ? [primary, copy] : [copy];
    this.#view = view;
    this.#damages = view.damages;
    this.#repairs = view.repairs;
  }

  /**
   * The same over the stores that are present now, and over no other that comes back meanwhile: that one may
   * hold another line, and its heads have to be read first.
   */
  async presentOnly(): Promise<Replicas> {
    const present = await this.present();
    const [primary, copy = primary] = this.stores;
    const isBoth = primary !== copy;
    return new Replicas(isBoth ? primary! : null, copy!, { ...this.#view, present });
  }

  /** Whether no store is missing. */
  async isComplete(): Promise<boolean> {
    return (await this.present()).length === this.stores.length;
  }

  /** The last repairs, oldest first. */
  get repairs(): readonly Repair[] {
    return [...this.#repairs];
  }

  /** Whether damage was found that is not repaired yet. */
  get isDamaged(): boolean {
    return this.#damages.size > 0;
  }

  /** The stores that this browser has: both, unless a medium is missing. */
  async present(): Promise<readonly KeyValueStore[]> {
    if (this.#view.present) return this.#view.present;
    const isThere = await Promise.all(this.stores.map(isStoreThere));
    const present = this.stores.filter((_, index) => isThere[index]);
    return present.length > 0 ? present : this.stores; // none: the errors of both are reported
  }

  /** The names in all stores that match. */
  async inventory(isOurs: (name: string) => boolean): Promise<Inventory> {
    const listings = await Promise.all(this.stores.map(readKeys));
    const names = listings.flatMap((listing) => listing ?? []).filter(isOurs);
    return { names: new Set(names), complete: listings.every((listing) => listing !== undefined) };
  }

  /** The first copy that is accepted; reads the other store only where the first fails. */
  async find<T>(name: string, accept: Accept<T>): Promise<Found<T> | undefined> {
    const failed: [KeyValueStore, Repair['damage']][] = [];
    for (const store of await this.present()) {
      const reading = await read(store, name);
      const value = reading.state === 'present' ? await accept(reading.bytes) : undefined;
      if (reading.state === 'present' && value !== undefined) {
        for (const [other, damage] of failed) this.#markDamaged(other, name, reading.bytes, damage);
        return { value, bytes: reading.bytes };
      }
      failed.push([store, reading.state === 'present' ? 'damaged' : reading.state]);
    }
    return undefined;
  }

  /** As `find`, but reads every copy, and compares the others with the accepted one. */
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

  /** As `find`, but marks no damage: the other copy may be of another line. */
  async peek<T>(name: string, accept: Accept<T>): Promise<Found<T> | undefined> {
    for (const reading of await this.copies(name)) {
      const value = reading.state === 'present' ? await accept(reading.bytes) : undefined;
      if (reading.state === 'present' && value !== undefined) {
        return { value, bytes: reading.bytes };
      }
    }
    return undefined;
  }

  /** A value in each store that is present, the primary's first. */
  async copies(name: string): Promise<Reading[]> {
    return (await this.#copies(name)).map(({ reading }) => reading);
  }

  /** Several values in each store that is present: one list for each store, the primary's first. */
  async copiesOf(names: readonly string[]): Promise<Reading[][]> {
    const stores = await this.present();
    return Promise.all(stores.map((store) => Promise.all(names.map((name) => read(store, name)))));
  }

  /**
   * Writes good copies over the damaged ones. Call under the vault's lock. A store that refuses stays
   * damaged: reads use the other copy, and the damage is found again next time.
   *
   * @returns whether every copy is good now
   */
  async mend(): Promise<boolean> {
    const present = await this.present();
    const damages = [...this.#damages].filter(([, { store }]) => present.includes(store));
    let whole = true;
    for (const [key, { store, name, good, damage }] of damages) {
      this.#damages.delete(key);
      const mended = await succeeds(writeVerified(store, new Map([[name, good]])));
      this.#note({ store: store.name, name, damage, mended });
      whole &&= mended;
    }
    return whole;
  }

  /** Removes values that nothing refers to. What cannot be removed now is found again next time. */
  async collect(isGarbage: (name: string) => boolean): Promise<void> {
    for (const store of await this.present()) {
      const garbage = (await readKeys(store))?.filter(isGarbage) ?? [];
      if (garbage.length > 0) await succeeds(store.write(new Map(), garbage));
    }
  }

  /** Compares every copy with `good`; `mend` then writes it where it differs. */
  async expect(name: string, good: Uint8Array): Promise<void> {
    this.#compare(name, await this.#copies(name), good);
  }

  /** Reports a value that is damaged in both stores. */
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
      if (reading.state !== 'present') this.#markDamaged(store, name, good, reading.state);
      else if (!equal(reading.bytes, good)) this.#markDamaged(store, name, good, 'damaged');
    }
  }

  #markDamaged(
    store: KeyValueStore,
    name: string,
    good: Uint8Array,
    damage: Repair['damage'],
  ): void {
    this.#damages.set(`${this.stores.indexOf(store)} ${name}`, { store, name, good, damage });
  }

  #note(repair: Repair): void {
    this.#repairs.push(repair);
    if (this.#repairs.length > REPAIRS_KEPT) this.#repairs.shift();
  }
}

/**
 * Writes values, reads them back and compares.
 *
 * @param check checks what was read back; false counts as a failed write
 * @throws Error where a value does not read back; whatever the store rejects with
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
      throw new Error(`${store.name}: a written value does not read back`);
    }
  }
}

async function isStoreThere(store: KeyValueStore): Promise<boolean> {
  return (await store.isThere?.()) ?? true;
}

/**
 * Waits for work that may fail, because the next repair tries it again.
 *
 * @returns whether it succeeded
 */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}

/**
 * A store that throws twice is reported as unreadable, and the other store is read instead. Twice, because a failure
 * of a moment would hide a value that this store alone has, and an older one would be taken for the newest. A store
 * that has not answered in time is not asked again.
 */
async function read(store: KeyValueStore, name: string): Promise<Reading> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const bytes = await store.get(name);
      return bytes === undefined ? { state: 'missing' } : { state: 'present', bytes };
    } catch (error) {
      if ((error as { readonly name?: unknown } | null)?.name === 'StoreTimeout') break;
    }
  }
  return { state: 'unreadable' };
}

async function readKeys(store: KeyValueStore): Promise<string[] | undefined> {
  try {
    return await store.keys();
  } catch {
    return undefined;
  }
}
