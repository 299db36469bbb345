import { equal, toBase64url, wipe } from '../../crypto/bytes.ts';
import type { KeyRoot, KeyUse } from '../ring/key-records.ts';
import { headerKeyIdsOf, messageKey } from './key-set.ts';
import type { KeySet, PickedKey } from './key-set.ts';
import type { PickedGeneration, PickedKeyValue } from '../ring/user-key.ts';
import { mergedCollectionKeys } from '../ring/sync-key.ts';

/** What one key set has that another has not. */
export interface Difference {
  /** Named keys. */
  readonly keys: number;
  /** Sites that have used a key, counted for each key. */
  readonly sites: number;
  /** Header key ids: what opens messages. */
  readonly messageKeys: number;
}

export interface Merged {
  readonly set: KeySet;
  /** What came to `mine`. */
  readonly added: Difference;
}

/**
 * Brings another key set into one's own. Nothing of `mine` is taken away or changed in what it
 * seals and opens; everything that `theirs` opens is opened afterwards.
 *
 * Sets that grew apart differ in things of which there is one: the root, a site's salt, a rotated
 * key's generation. There `mine` stays what new messages are sealed with, and the other's keys are
 * kept beside it, each under the header key id of the messages that need it.
 */
export function mergeKeys(mine: KeySet, theirs: KeySet): Merged {
  const root = mine.root ?? theirs.root;
  const picked = new Map(mine.picked);
  for (const [ref, key] of theirs.picked) {
    const own = picked.get(ref);
    picked.set(ref, own ? mergePicked(own, key) : key);
  }
  const uses = new Map(mine.uses);
  const base = { root, picked, uses };
  for (const [id, use] of theirs.uses) {
    uses.set(id, mergeUse(base, theirs, uses.get(id), use));
  }
  return { set: base, added: difference(base, mine) };
}

/** Counts what `more` has and `less` has not; where `more` came out of `less`. */
export function difference(more: KeySet, less: KeySet): Difference {
  const ids = ({ uses }: KeySet) => [...uses.values()].flatMap(headerKeyIdsOf).length;
  return {
    keys: more.picked.size - less.picked.size,
    sites: more.uses.size - less.uses.size,
    messageKeys: ids(more) - ids(less),
  };
}

/** A ref is drawn, so both are one key; should a file say otherwise, one's own stays as it is. */
function mergePicked(own: PickedKey, other: PickedKey): PickedKey {
  if (own.kind !== other.kind || own.value.algorithm !== other.value.algorithm) return own;
  const value = withCollectionKeysOf(withGenerations(own.value, other.value), other.value);
  return { ...own, value: own.kind === 'sealing' ? value : withKept(value, other.value) };
}

/** One's own first: they are what new records are made with. */
function withCollectionKeysOf(own: PickedKeyValue, other: PickedKeyValue): PickedKeyValue {
  const merged = mergedCollectionKeys(own.collectionKeys, other.collectionKeys);
  return merged ? { ...own, collectionKeys: merged } : own;
}

/** What no message names by an id of its own: signatures check, and open, by any of the generations. */
function withKept(own: PickedKeyValue, other: PickedKeyValue): PickedKeyValue {
  const all = ({ generations, kept = [] }: PickedKeyValue) => [...generations, ...kept];
  const known = new Set(all(own).map(({ key }) => key));
  const missing = all(other).filter(({ key }: PickedGeneration) => !known.has(key));
  if (missing.length === 0) return own;
  return { ...own, kept: [...(own.kept ?? []), ...missing] };
}

function withGenerations(own: PickedKeyValue, other: PickedKeyValue): PickedKeyValue {
  const known = new Set(own.generations.map(({ generation }) => generation));
  const missing = other.generations.filter(({ generation }) => !known.has(generation));
  if (missing.length === 0) return own;
  const generations = [...own.generations, ...missing];
  return { ...own, generations: generations.sort((a, b) => a.generation - b.generation) };
}

function mergeUse(base: KeySet, theirs: KeySet, own: KeyUse | undefined, other: KeyUse): KeyUse {
  let use = own ?? unused(other);
  if (sameDerivation(base.root, theirs.root, use, other) && other.generation > use.generation) {
    use = { ...use, generation: other.generation };
  }
  const known = new Set(headerKeyIdsOf(use).map(({ id }) => id));
  for (const entry of headerKeyIdsOf(other)) {
    if (!known.has(entry.id)) use = withMessageKey(base, theirs, use, other, entry);
  }
  return use;
}

function sameDerivation(a: KeyRoot | undefined, b: KeyRoot | undefined, x: KeyUse, y: KeyUse) {
  return a?.appRoot === b?.appRoot && x.salt === y.salt;
}

/** By derivation where that gives the same key, else the key itself. */
function withMessageKey(
  base: KeySet,
  theirs: KeySet,
  use: KeyUse,
  other: KeyUse,
  entry: { readonly id: string; readonly generation: number },
): KeyUse {
  const key = messageKey(theirs, other, entry)!; // a set from outside was checked: isWhole
  const derived = messageKey(base, use, entry);
  try {
    if (derived !== undefined && equal(derived, key)) {
      return { ...use, headerKeyIds: [...use.headerKeyIds, entry] };
    }
    return { ...use, kept: [...(use.kept ?? []), { ...entry, key: toBase64url(key) }] };
  } finally {
    wipe(key, derived ?? key);
  }
}

function unused({ ref, origin, generation, salt }: KeyUse): KeyUse {
  return { ref, origin, generation, salt, headerKeyIds: [] };
}
