import { equal } from '../../crypto/bytes.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { SyncFormat } from '../../keys/ring/kinds.ts';
import { syncKeyMaterial, wipeSyncKey, type SyncKeyMaterial } from '../../keys/ring/sync-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';

/** What the records of one collection are sealed and opened with. */
export interface RecordKeys {
  readonly format: SyncFormat;
  /** The first seals, all of them open. */
  readonly keys: readonly Uint8Array[];
  /** Of a key that was made in Sealwright: its first generation, which rotating leaves as it is. */
  readonly first?: Uint8Array;
  /** The id of the key, where records of this format store it beside their payload. */
  readonly kid?: string;
}

/**
 * Reads the keys of a collection, and wipes them after the work.
 *
 * @throws SealwrightError NEEDS_KEY if a Weave key lacks the keys of its collections
 */
export function withRecordKeys<T>(
  keyRing: KeyRing,
  ref: string,
  collection: string,
  work: (keys: RecordKeys) => Promise<T>,
): Promise<T> {
  return withSyncKey(keyRing, ref, (key) => work(recordKeys(key, collection)));
}

/** The same with a key of Weave itself. @throws SealwrightError UNSUPPORTED for another one */
export function withAccount<T>(
  keyRing: KeyRing,
  ref: string,
  work: (account: Uint8Array, key: SyncKeyMaterial) => Promise<T>,
): Promise<T> {
  return withSyncKey(keyRing, ref, (key) => {
    if (key.format === 'weave-5') return work(key.generations[0]!.key, key);
    throw new SealwrightError('UNSUPPORTED', 'Only keys of Weave have keys of collections');
  });
}

async function withSyncKey<T>(
  keyRing: KeyRing,
  ref: string,
  work: (key: SyncKeyMaterial) => Promise<T>,
): Promise<T> {
  const key = syncKeyMaterial(await keyRing.userKeyValue(ref, 'sync'));
  try {
    return await work(key);
  } finally {
    wipeSyncKey(key);
  }
}

function recordKeys(key: SyncKeyMaterial, collection: string): RecordKeys {
  const { format, foreignId } = key;
  if (format === 'weave-5') return { format, keys: weaveKeys(key, collection) };
  const keys = key.generations.map((each) => each.key);
  if (format === 'sealwright') {
    const first = key.generations.find(({ generation }) => generation === 1);
    return { format, keys, ...(first && { first: first.key }) };
  }
  return { format, keys, ...(format === 'notes' && { kid: foreignId ?? '' }) };
}

/** The collection's bundles without duplicates, those of the newest crypto/keys first. */
function weaveKeys({ collectionKeys }: SyncKeyMaterial, collection: string): Uint8Array[] {
  if (collectionKeys.length === 0) {
    throw new SealwrightError('NEEDS_KEY', 'Load the keys of the collections first', {
      headerKeyId: 'crypto/keys',
    });
  }
  const all = collectionKeys.map((keys) => keys.collections.get(collection) ?? keys.default);
  return all.filter((bytes, i) => all.findIndex((each) => equal(each, bytes)) === i);
}
