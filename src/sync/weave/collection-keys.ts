import { AuthenticationError } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import type { JsonObject } from '../json-object.ts';
import { BUNDLE_BYTES, bundleOf, wipeBundle } from './key-bundle.ts';
import type { KeyBundle } from './key-bundle.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { openWeaveRecord, sealWeaveRecord } from './weave-record.ts';

/*
 * crypto/keys: the record, sealed with the account's own bundle, that holds the bundles of all
 * collections. A collection that is not named has the default one.
 */

export const COLLECTION_KEYS_ID = 'keys';

export interface CollectionKeys {
  readonly default: KeyBundle;
  readonly collections: ReadonlyMap<string, KeyBundle>;
}

export function bundleFor(keys: CollectionKeys, collection: string): KeyBundle {
  return keys.collections.get(collection) ?? keys.default;
}

/**
 * What `before` has, and a new bundle for each collection that is named: what others use stays.
 *
 * @param before absent for a new account, which gets a default bundle too
 */
export function newCollectionKeys(
  random: RandomSource,
  named: readonly string[],
  before?: CollectionKeys,
): CollectionKeys {
  const drawn = (): KeyBundle => bundleOf(random.bytes(BUNDLE_BYTES));
  const fresh = named.map((collection) => [collection, drawn()] as const);
  return {
    default: before?.default ?? drawn(),
    collections: new Map([...(before?.collections ?? []), ...fresh]),
  };
}

/** @param cipher of the account's bundle @param iv 16 bytes @returns the payload */
export function sealCollectionKeys(
  cipher: RecordCipher,
  iv: Uint8Array,
  keys: CollectionKeys,
): Promise<Uint8Array<ArrayBuffer>> {
  const collections = [...keys.collections].map(([name, bundle]) => [name, pairOf(bundle)]);
  return sealWeaveRecord(cipher, iv, COLLECTION_KEYS_ID, {
    collection: 'crypto',
    default: pairOf(keys.default),
    collections: Object.fromEntries(collections) as JsonObject,
  });
}

/** @throws SyncError BAD_RECORD; AuthenticationError for another key, and for what holds no keys */
export async function openCollectionKeys(
  cipher: RecordCipher,
  payload: string,
): Promise<CollectionKeys> {
  const { default: pair, collections = {} } = await openWeaveRecord(
    cipher,
    COLLECTION_KEYS_ID,
    payload,
  );
  if (typeof collections !== 'object' || collections === null) throw new AuthenticationError();
  const named = Object.entries(collections).map(([name, each]) => [name, bundleIn(each)] as const);
  return { default: bundleIn(pair), collections: new Map(named) };
}

export function wipeCollectionKeys(keys: CollectionKeys): void {
  wipeBundle(keys.default);
  for (const bundle of keys.collections.values()) wipeBundle(bundle);
}

function pairOf({ encryptionKey, hmacKey }: KeyBundle): readonly [string, string] {
  return [toBase64(encryptionKey), toBase64(hmacKey)];
}

function bundleIn(pair: unknown): KeyBundle {
  const list: readonly unknown[] = Array.isArray(pair) && pair.length === 2 ? pair : [];
  const [encryptionKey, hmacKey] = list.map((text) =>
    typeof text === 'string' ? fromBase64(text) : undefined,
  );
  if (encryptionKey?.length !== 32 || hmacKey?.length !== 32) throw new AuthenticationError();
  return { encryptionKey, hmacKey };
}
