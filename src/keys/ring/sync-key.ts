import { fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import { generationKeys } from './user-key.ts';
import type { SyncFormat } from './kinds.ts';
import type { GenerationKey, UserKeyValue, StoredCollectionKeys } from './user-key.ts';

/*
 * What only sync keys have: a record format, an id at their service, and, for Weave, the key bundles of
 * collections that the account's own key opened. src/sync interprets these bytes; this file stores
 * them.
 */

/** Key bundles of collections, 64 bytes each. */
export interface CollectionKeyBytes {
  readonly default: Uint8Array;
  readonly collections: ReadonlyMap<string, Uint8Array>;
}

/** A sync key with its secrets; `wipeSyncKey` wipes them. */
export interface SyncKeyMaterial {
  readonly format: SyncFormat;
  /** Newest first. */
  readonly generations: readonly GenerationKey[];
  readonly foreignId: string | null;
  /** Newest first. */
  readonly collectionKeys: readonly CollectionKeyBytes[];
}

/**
 * Sets of collection keys of one key, at most. Old sets are never dropped; a set beyond this is
 * refused.
 */
export const MAX_COLLECTION_KEYS = 32;

/** The secrets of a sync key. */
export function syncKeyMaterial(value: UserKeyValue): SyncKeyMaterial {
  const { algorithm, foreignId = null, collectionKeys = [] } = value;
  return {
    format: algorithm as SyncFormat,
    generations: generationKeys(value),
    foreignId,
    collectionKeys: collectionKeys.map(bytesOf),
  };
}

/** Overwrites all secrets. */
export function wipeSyncKey({ generations, collectionKeys }: SyncKeyMaterial): void {
  wipe(...generations.map(({ key }) => key));
  for (const keys of collectionKeys) wipe(keys.default, ...keys.collections.values());
}

/**
 * The key with this set of collection keys first; a set that is present already is moved to the front.
 *
 * @throws RangeError beyond MAX_COLLECTION_KEYS
 */
export function withCollectionKeys(
  value: UserKeyValue,
  keys: CollectionKeyBytes,
  created: number,
): UserKeyValue {
  const { collectionKeys: before = [] } = value;
  const added = storedOf(keys, created);
  const others = before.filter((each) => !isSame(each, added));
  if (others.length >= MAX_COLLECTION_KEYS) {
    throw new RangeError('key: has too many collection keys');
  }
  const collectionKeys = [before.find((each) => isSame(each, added)) ?? added, ...others];
  return { ...value, collectionKeys };
}

/** Own sets first, then those of the other that are missing; `own` itself where none is. */
export function mergedCollectionKeys(
  own: readonly StoredCollectionKeys[] | undefined,
  other: readonly StoredCollectionKeys[] = [],
): readonly StoredCollectionKeys[] | undefined {
  const missing = other.filter((each) => !own?.some((known) => isSame(known, each)));
  return missing.length === 0 ? own : [...(own ?? []), ...missing];
}

function isSame(a: StoredCollectionKeys, b: StoredCollectionKeys): boolean {
  return a.default === b.default && textOf(a) === textOf(b);
}

function textOf({ collections }: StoredCollectionKeys): string {
  return JSON.stringify(collections.map(({ name, bundle }) => [name, bundle]).sort());
}

function storedOf(
  { default: fallback, collections }: CollectionKeyBytes,
  created: number,
): StoredCollectionKeys {
  const named = [...collections].map(([name, bundle]) => ({ name, bundle: toBase64url(bundle) }));
  return { created, default: toBase64url(fallback), collections: named };
}

function bytesOf({ default: fallback, collections }: StoredCollectionKeys): CollectionKeyBytes {
  const named = collections.map(({ name, bundle }) => [name, fromBase64url(bundle)] as const);
  return { default: fromBase64url(fallback), collections: new Map(named) };
}
