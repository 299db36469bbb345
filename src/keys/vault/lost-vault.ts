/*
 * What the stores say about a vault without its key: whether there is none, one, or what is left of a
 * lost one. Without a key a loss shows as leftovers that cannot be opened. With a key it shows as a
 * slot that opens over a generation that does not (`DamageProof`). What is left of a lost vault is
 * renamed, not deleted, when another vault takes its place (`setAsideLostVault`).
 */
import { concat, equal, toBase64url, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { workOf } from '../unlock/passphrase-kdf.ts';
import { parseSlot, type Slot } from '../unlock/slots.ts';
import { storeFailure } from '../values/errors.ts';
import {
  EXISTS,
  FRESH,
  isSetAside,
  isSlot,
  isVaultValue,
  manifestGeneration,
  setAsideName,
} from '../values/value-names.ts';
import { parseVaultMarker, type VaultMarker } from '../values/checksummed-value.ts';
import type { KeyValueStore, SessionStore } from '../storage/key-value-store.ts';
import { writeVerified, type Replicas } from '../storage/replicas.ts';

/** What can be known of a vault without its key. */
export interface StoredVault {
  readonly state: 'absent' | 'lost' | 'present';
  /** Undefined where there is none, or both copies are damaged. */
  readonly vaultMarker: VaultMarker | undefined;
  /** Undamaged slots, in the order in which to try them: those that all stores hold first. */
  readonly slots: readonly Slot[];
}

/**
 * Looks through both stores. The state is "absent" in two cases only: both stores answer and hold
 * nothing of a vault, or a store holds the mark of a fresh installation, which is removed when a
 * vault is made. A store that throws, or any leftover, set aside or not, means that there was a vault.
 */
export async function readStoredVault(replicas: Replicas): Promise<StoredVault> {
  const listed = await replicas.inventory(isRelevant);
  const names = new Set([...listed.names].filter(isVaultValue));
  if (names.size === 0) {
    const wasThere = [...listed.names].some(isSetAside);
    const isAbsent = !wasThere && (listed.complete || listed.names.has(FRESH));
    return { state: isAbsent ? 'absent' : 'lost', vaultMarker: undefined, slots: [] };
  }
  const vaultMarker = (await replicas.find(EXISTS, parseVaultMarker))?.value;
  const slots = await readSlots(replicas, [...names].filter(isSlot));
  const hasManifest = [...names].some((name) => manifestGeneration(name) !== undefined);
  const state = slots.length > 0 && hasManifest ? 'present' : 'lost';
  return { state, vaultMarker, slots };
}

/**
 * Renames what is left of a lost vault, so that another can be made in its place. Nothing reads the
 * renamed values again; they are there for a repair by hand. Each store is changed in one step, so
 * that a worker which dies in between leaves a lost vault, never an absent one. Call under the
 * vault's lock.
 *
 * @param at ms since the epoch; part of the new names, which keeps two losses apart
 * @throws VaultError UNAVAILABLE where a store does not answer, because it may hold everything; QUOTA.
 *   No store has lost a value then
 */
export async function setAsideLostVault(replicas: Replicas, at: number): Promise<void> {
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

/** The key of the proof in the session store. */
const PROOF = 'vault/proven-damage';

/**
 * The proof that a vault cannot be opened any more: a secret opened a slot, and neither store had what
 * the newest generation needs. It is kept together with a hash of what the stores held at that
 * moment, and counts only while that is unchanged. So a store that did not answer then, and does
 * now, has the vault tried again.
 */
export class DamageProof {
  readonly #replicas: Replicas;
  readonly #session: SessionStore;

  constructor(replicas: Replicas, session: SessionStore) {
    this.#replicas = replicas;
    this.#session = session;
  }

  /** Records the proof for what the stores hold now. */
  async record(): Promise<void> {
    await this.#session.set(PROOF, await this.#hashOfStores());
  }

  /** Whether there is a proof, and the stores still hold what they held then. */
  async holds(): Promise<boolean> {
    const recorded = await this.#session.get(PROOF);
    return recorded !== undefined && recorded === (await this.#hashOfStores());
  }

  /** Over all that both stores hold of the vault, and over which values they do not give. */
  async #hashOfStores(): Promise<string> {
    const { names } = await this.#replicas.inventory(isVaultValue);
    let hash: Uint8Array = new Uint8Array(0);
    for (const name of [...names].sort()) {
      for (const reading of await this.#replicas.copies(name)) {
        const bytes = reading.state === 'present' ? reading.bytes : new Uint8Array(0);
        hash = sha256(concat(hash, utf8(`${name} ${reading.state}\0`), sha256(bytes)));
      }
    }
    return toBase64url(hash);
  }
}

function isRelevant(name: string): boolean {
  return isVaultValue(name) || isSetAside(name) || name === FRESH;
}

/** What only one store holds may be forged: it comes last, and of that what costs most to try. */
async function readSlots(replicas: Replicas, names: readonly string[]): Promise<Slot[]> {
  const found: { readonly slot: Slot; readonly copies: number }[] = [];
  for (const name of names) {
    const copies = (await replicas.copies(name)).map((reading) =>
      reading.state === 'present' ? reading.bytes : undefined,
    );
    // Both copies where they differ: a checksum does not prove which one is right.
    for (const [place, bytes] of copies.entries()) {
      const isSame = (other: Uint8Array | undefined) => other && bytes && equal(other, bytes);
      const slot = bytes && copies.findIndex(isSame) === place && parseSlot(name, bytes);
      if (slot) found.push({ slot, copies: copies.filter(isSame).length });
    }
  }
  const work = ({ type, parameters }: Slot) => workOf(type, parameters);
  found.sort((a, b) => {
    const byWork = work(a.slot) - work(b.slot);
    return b.copies - a.copies || byWork || b.slot.created - a.slot.created;
  });
  return found.map(({ slot }) => slot);
}

async function move(store: KeyValueStore, names: readonly string[], at: number): Promise<void> {
  const puts = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = await store.get(name);
    if (bytes !== undefined) puts.set(setAsideName(name, at), bytes);
  }
  if (names.length > 0) await writeVerified(store, puts, names);
}
