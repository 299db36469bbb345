import { equal, concat, toBase64url, utf8 } from '../../crypto/bytes.ts';
import { writeVerified, type Replicas } from './replicas.ts';
import { encodeSlot, parseSlot, type Slot } from '../unlock/slots.ts';
import {
  EXISTS,
  FRESH,
  isSetAside,
  isSlot,
  isVaultValue,
  manifestGeneration,
  setAsideName,
} from '../vault/value-names.ts';
import { parseVaultMarker, type VaultMarker } from './checksummed-value.ts';
import { storeFailure } from '../vault/errors.ts';
import type { KeyValueStore, SessionStore } from './key-value-store.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';

/** What can be known of a vault without its key. */
export interface StoredVaultState {
  readonly state: 'absent' | 'lost' | 'present';
  readonly tombstone: VaultMarker | undefined;
  /** Undamaged slots, newest first. */
  readonly slots: readonly Slot[];
}

/**
 * Nothing counts as "no vault" but two stores that both answer, and hold nothing of one; or one that
 * holds the mark of a fresh installation, which goes when a vault is made. A store that throws, or
 * any leftover, be it set aside, means that there was a vault: lost, until it can be opened.
 */
export async function surveyStores(replicas: Replicas): Promise<StoredVaultState> {
  const listed = await replicas.inventory(isTelling);
  const names = new Set([...listed.names].filter(isVaultValue));
  if (names.size === 0) {
    const wasThere = [...listed.names].some(isSetAside);
    const isAbsent = !wasThere && (listed.complete || listed.names.has(FRESH));
    return { state: isAbsent ? 'absent' : 'lost', tombstone: undefined, slots: [] };
  }
  const vaultMarker = (await replicas.find(EXISTS, parseVaultMarker))?.value;
  const slots = await readSlots(replicas, [...names].filter(isSlot));
  const manifests = [...names].some((name) => manifestGeneration(name) !== undefined);
  return {
    state: slots.length > 0 && manifests ? 'present' : 'lost',
    tombstone: vaultMarker,
    slots,
  };
}

const isTelling = (name: string): boolean =>
  isVaultValue(name) || isSetAside(name) || name === FRESH;

async function readSlots(replicas: Replicas, names: readonly string[]): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (const name of names) {
    // Both copies, should they differ: a checksum does not prove which one is right.
    for (const reading of await replicas.copies(name)) {
      const slot = reading.state === 'present' ? parseSlot(name, reading.bytes) : undefined;
      if (slot !== undefined && !slots.some((known) => sameSlot(known, slot))) slots.push(slot);
    }
  }
  return slots.sort((a, b) => b.created - a.created);
}

function sameSlot(a: Slot, b: Slot): boolean {
  return equal(encodeSlot(a), encodeSlot(b));
}

/**
 * Renames what is left of a lost vault, so that another can be made in its place: kept for whoever
 * can still do something with it, and taken for a vault by nobody. Each store moves in one step; a
 * worker that dies in between leaves a loss, never an empty store. Call under the vault's lock.
 *
 * @param at ms since the epoch; tells two losses apart
 * @throws VaultError UNAVAILABLE where a store does not answer: it may have all; QUOTA. Then nothing
 *   is missing in any store
 */
export async function setAside(replicas: Replicas, at: number): Promise<void> {
  try {
    const stores = await replicas.present();
    const listings = await Promise.all(stores.map((store) => store.keys()));
    for (const [index, store] of stores.entries()) {
      await move(store, listings[index]!.filter(isVaultValue), at);
    }
  } catch (cause) {
    throw storeFailure(cause);
  }
}

async function move(store: KeyValueStore, names: readonly string[], at: number): Promise<void> {
  const puts = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = await store.get(name);
    if (bytes !== undefined) puts.set(setAsideName(name, at), bytes);
  }
  if (names.length > 0) await writeVerified(store, puts, names);
}

const NOTE = 'vault/proven-damage';

/**
 * That a vault is past opening shows only to whoever has its secret: the slot opens, and neither store
 * has what the newest generation needs. That is remembered together with what lay in the stores at
 * that moment, and holds for as long as nothing of it changes: a store that did not answer then, and
 * does now, has the vault tried again.
 */
export class ProvenDamage {
  readonly #replicas: Replicas;
  readonly #session: SessionStore;

  constructor(replicas: Replicas, session: SessionStore) {
    this.#replicas = replicas;
    this.#session = session;
  }

  async note(): Promise<void> {
    await this.#session.set(NOTE, await this.#evidence());
  }

  async holds(): Promise<boolean> {
    const noted = await this.#session.get(NOTE);
    return noted !== undefined && noted === (await this.#evidence());
  }

  /** A hash of all that both stores hold of the vault, and of what they do not give. */
  async #evidence(): Promise<string> {
    const { names } = await this.#replicas.inventory(isVaultValue);
    let evidence: Uint8Array = new Uint8Array(0);
    for (const name of [...names].sort()) {
      for (const reading of await this.#replicas.copies(name)) {
        const bytes = reading.state === 'present' ? reading.bytes : new Uint8Array(0);
        evidence = sha256(concat(evidence, utf8(`${name} ${reading.state}\0`), sha256(bytes)));
      }
    }
    return toBase64url(evidence);
  }
}
