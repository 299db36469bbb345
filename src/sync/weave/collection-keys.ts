import { AuthenticationError } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import type { JsonObject } from '../json-object.ts';
import { BUNDLE_BYTES, bundleOf, wipeBundle } from '../key-bundle.ts';
import type { KeyBundle } from '../key-bundle.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { openWeaveRecord, sealWeaveRecord } from './weave-record.ts';

/*
 * The record crypto/keys. It is sealed with the account's bundle and contains the bundles of all
 * collections. A collection that it does not name uses the default bundle.
 */

/** Id of the record in the collection `crypto`. */
export const COLLECTION_KEYS_ID = 'keys';

/** The bundles of an account. */
export interface CollectionKeys {
  readonly default: KeyBundle;
  readonly collections: ReadonlyMap<string, KeyBundle>;
}

/** The bundle of a collection, or the default one. */
export function bundleFor(keys: CollectionKeys, collection: string): KeyBundle {
  return keys.collections.get(collection) ?? keys.default;
}

/**
 * Generates a new bundle for each named collection and keeps the others of `before`.
 *
 * @param before absent for a new account, which also gets a default bundle
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

/** Seals the record. @param cipher of the account's bundle @param iv 16 bytes @returns the payload */
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

/** @throws SyncError BAD_RECORD; AuthenticationError for another key, and for a record without keys */
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

/** Overwrites all bundles. */
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
