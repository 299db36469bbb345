import { fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import { generationKeys } from './user-key.ts';
import type {
  GenerationKey,
  PickedKeyValue,
  StoredCollectionKeys,
  SyncFormat,
} from './user-key.ts';

/*
 * What sync keys have beside other keys: the format of their records, a name elsewhere, and, of
 * Weave, the bundles of collections that the account's own key opened. What it all means is known to
 * src/sync; here it is bytes that are kept.
 */

/** A key that was made elsewhere. */
export interface ImportedSyncKey {
  readonly format: Exclude<SyncFormat, 'sealwright'>;
  /** 64 bytes of Weave and Kinto (encryption key ‖ HMAC key), 32 of Notes. */
  readonly key: Uint8Array;
  readonly foreignId?: string;
}

/** Bundles of collections, 64 bytes each. */
export interface CollectionKeyBytes {
  readonly default: Uint8Array;
  readonly collections: ReadonlyMap<string, Uint8Array>;
}

export interface SyncKeyMaterial {
  readonly format: SyncFormat;
  /** Newest first. */
  readonly generations: readonly GenerationKey[];
  readonly foreignId: string | null;
  /** Newest first. */
  readonly collectionKeys: readonly CollectionKeyBytes[];
}

/** Sets of one key. Nothing that data may need is ever dropped: beyond this, no more come in. */
export const MAX_COLLECTION_KEYS = 32;

export function importedSyncKey(
  { format, key, foreignId }: ImportedSyncKey,
  created: number,
  label: string,
): PickedKeyValue {
  const generations = [{ generation: 1, key: toBase64url(key), created }];
  const named = foreignId === undefined ? {} : { foreignId };
  return { label, created, algorithm: format, generations, ...named };
}

export function syncKeyMaterial(value: PickedKeyValue): SyncKeyMaterial {
  const { algorithm, foreignId = null, collectionKeys = [] } = value;
  return {
    format: algorithm as SyncFormat,
    generations: generationKeys(value),
    foreignId,
    collectionKeys: collectionKeys.map(bytesOf),
  };
}

export function wipeSyncKey({ generations, collectionKeys }: SyncKeyMaterial): void {
  wipe(...generations.map(({ key }) => key));
  for (const keys of collectionKeys) wipe(keys.default, ...keys.collections.values());
}

/**
 * The sets with this one first; where it is among them already, it moves there.
 *
 * @throws RangeError beyond MAX_COLLECTION_KEYS
 */
export function withCollectionKeys(
  before: readonly StoredCollectionKeys[] = [],
  keys: CollectionKeyBytes,
  created: number,
): readonly StoredCollectionKeys[] {
  const added = storedOf(keys, created);
  const others = before.filter((each) => !isSame(each, added));
  if (others.length >= MAX_COLLECTION_KEYS) {
    throw new RangeError('key: has too many collection keys');
  }
  return [before.find((each) => isSame(each, added)) ?? added, ...others];
}

/** @returns `own` itself where it has all that the other has */
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
