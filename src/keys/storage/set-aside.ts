import { storeFailure } from '../vault/errors.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { writeVerified } from './replicas.ts';
import type { Replicas } from './replicas.ts';
import { isVaultValue, setAsideName } from '../vault/value-names.ts';

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
