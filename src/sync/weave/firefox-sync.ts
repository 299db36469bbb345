/*
 * Firefox Sync without the extension, for `sealwright/sync`: key bundles from the user's secret, the record
 * crypto/keys, and single records of storage version 5, over WebCrypto.
 */
import { wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { NATIVE_RECORDS } from '../../engine/native/native-records.ts';
import { NATIVE_RANDOM } from '../../format/native-crypto.ts';
import { fromBase64 } from '../base64.ts';
import { ACCOUNT_KEY_BYTES, accountBundle } from '../key-sources/account-key.ts';
import { readScopedKey } from '../key-sources/scoped-key.ts';
import { readSyncKey, syncKeyBundle } from '../key-sources/sync-key.ts';
import { recordCipher } from '../record-cipher.ts';
import type { RecordCipher } from '../record-cipher.ts';
import {
  COLLECTION_KEYS_ID,
  newCollectionKeys,
  openCollectionKeys as openKeys,
  sealCollectionKeys,
} from './collection-keys.ts';
import type { CollectionKeys as InnerKeys } from './collection-keys.ts';
import { BUNDLE_BYTES, bundleOf, wipeBundle } from '../key-bundle.ts';
import type { KeyBundle as InnerBundle } from '../key-bundle.ts';
import { openWeaveRecord, sealWeaveRecord } from './weave-record.ts';

/** The two keys of records, 32 bytes each. */
export interface KeyBundle {
  /** AES-256. */
  readonly encKey: Uint8Array;
  /** HMAC-SHA-256. */
  readonly hmacKey: Uint8Array;
}

/** A record as the server stores it; further members are ignored. */
export interface SyncRecord {
  readonly id: string;
  /** JSON of ciphertext, IV and hmac. */
  readonly payload: string;
}

/** The content of a record, beside its id. */
export interface Cleartext {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** The bundles of an account. A collection that has none of its own uses the default one. */
export interface CollectionKeys {
  readonly default: KeyBundle;
  readonly collections: ReadonlyMap<string, KeyBundle>;
}

const IV_BYTES = 16;
const KEY_BYTES = 32;

/**
 * The bundle of an account of Sync 1.1 (Firefox 4 to 28).
 *
 * @param username the name on the server; of a mail address, `syncUsername` gives it
 * @param friendlyKey the Sync Key as Firefox shows it: "y-4nkps-6yxav-…"
 * @throws TypeError, RangeError for a text that is not a Sync Key
 */
export function keyBundleFromSyncKey(username: string, friendlyKey: string): KeyBundle {
  checkText('username', username);
  checkText('friendlyKey', friendlyKey);
  const syncKey = readSyncKey(friendlyKey);
  try {
    return shown(syncKeyBundle(syncKey, username));
  } finally {
    wipe(syncKey);
  }
}

/** The bundle of an account of Sync 1.5 (Firefox 29 and later). @param kB 32 bytes */
export function keyBundleFromKB(kB: Uint8Array): KeyBundle {
  checkBytes('kB', kB, ACCOUNT_KEY_BYTES);
  return shown(accountBundle(kB));
}

/**
 * The bundle in the scoped key that a Mozilla account gives to applications.
 *
 * @param jwk of the scope "https://identity.mozilla.com/apps/oldsync"
 * @throws RangeError for anything else
 */
export function keyBundleFromJwk(jwk: unknown): KeyBundle {
  const { key } = readScopedKey(jwk);
  try {
    if (key.length === BUNDLE_BYTES) return shown(bundleOf(key));
    throw new RangeError('jwk: expected k of 64 bytes, the key of Firefox Sync');
  } finally {
    wipe(key);
  }
}

/**
 * A bundle as crypto/keys has it.
 *
 * @param pair encryption key and HMAC key, each Base64 of 32 bytes
 * @throws RangeError for anything else
 */
export function keyBundleFromBase64(pair: readonly [string, string]): KeyBundle {
  const list: readonly unknown[] = Array.isArray(pair) ? pair : [];
  const [encKey, hmacKey, ...more] = list.map((text) =>
    typeof text === 'string' ? fromBase64(text) : undefined,
  );
  const isPair = encKey?.length === KEY_BYTES && hmacKey?.length === KEY_BYTES;
  if (isPair && more.length === 0) return { encKey, hmacKey };
  throw new RangeError('pair: expected two texts, Base64 of 32 bytes each');
}

/**
 * Encrypts a record. Its id is part of the cleartext; collection and time are not authenticated.
 *
 * @param cleartext an object with the record's id; `{ id, deleted: true }` is a deletion
 * @throws TypeError, RangeError for arguments of a wrong type or length
 * @throws SyncError BAD_CLEARTEXT for what is not an object
 */
export function encryptRecord(bundle: KeyBundle, cleartext: Cleartext): Promise<SyncRecord> {
  return withCipher(bundle, async (cipher) => {
    const { id, ...payload } = cleartext;
    checkText('id', id);
    const sealed = await sealWeaveRecord(cipher, NATIVE_RANDOM.bytes(IV_BYTES), id, payload);
    return { id, payload: new TextDecoder().decode(sealed) };
  });
}

/**
 * Decrypts a record.
 *
 * @returns its cleartext, which has the id of the record
 * @throws SyncError BAD_RECORD for a payload of another form
 * @throws AuthenticationError for another bundle, an altered record, or another record's payload
 */
export function decryptRecord(bundle: KeyBundle, record: SyncRecord): Promise<Cleartext> {
  return withCipher(bundle, async (cipher) => {
    const { id, payload } = record;
    checkText('id', id);
    checkText('payload', payload);
    return (await openWeaveRecord(cipher, id, payload)) as Cleartext;
  });
}

/**
 * Opens the record crypto/keys.
 *
 * @param bundle of the account
 * @throws as decryptRecord; RangeError for a record of another id
 */
export function openCollectionKeys(bundle: KeyBundle, bso: SyncRecord): Promise<CollectionKeys> {
  return withCipher(bundle, async (cipher) => {
    checkText('payload', bso.payload);
    if (bso.id !== COLLECTION_KEYS_ID) throw new RangeError('bso.id must be "keys"');
    const { default: own, collections } = await openKeys(cipher, bso.payload);
    const named = [...collections].map(([name, each]) => [name, shown(each)] as const);
    return { default: shown(own), collections: new Map(named) };
  });
}

/**
 * Makes the record crypto/keys.
 *
 * @param bundle of the account
 * @param keys default: those of a new account, one random bundle for all collections
 */
export function createCollectionKeys(
  bundle: KeyBundle,
  keys?: CollectionKeys,
): Promise<SyncRecord> {
  return withCipher(bundle, async (cipher) => {
    const inner = keys ? innerKeys(keys) : newCollectionKeys(NATIVE_RANDOM, []);
    const sealed = await sealCollectionKeys(cipher, NATIVE_RANDOM.bytes(IV_BYTES), inner);
    return { id: COLLECTION_KEYS_ID, payload: new TextDecoder().decode(sealed) };
  });
}

/** The bundle of a collection, or the default one. */
export function bundleFor(keys: CollectionKeys, collection: string): KeyBundle {
  return keys.collections.get(collection) ?? keys.default;
}

async function withCipher<T>(
  bundle: KeyBundle,
  work: (cipher: RecordCipher) => Promise<T>,
): Promise<T> {
  const cipher = await recordCipher(NATIVE_RECORDS, checked('bundle', bundle));
  try {
    return await work(cipher);
  } finally {
    cipher.wipe();
  }
}

/** The bundle with the names of the inner layers; its arrays are the caller's. */
function checked(name: string, { encKey, hmacKey }: KeyBundle): InnerBundle {
  checkBytes(`${name}.encKey`, encKey, KEY_BYTES);
  checkBytes(`${name}.hmacKey`, hmacKey, KEY_BYTES);
  return { encryptionKey: encKey, hmacKey };
}

/** A copy with the names of this interface; the given bundle is wiped. */
function shown(bundle: InnerBundle): KeyBundle {
  const copy = { encKey: bundle.encryptionKey.slice(), hmacKey: bundle.hmacKey.slice() };
  wipeBundle(bundle);
  return copy;
}

function innerKeys(keys: CollectionKeys): InnerKeys {
  const named = [...keys.collections].map(
    ([name, each]) => [name, checked(`collections "${name}"`, each)] as const,
  );
  return { default: checked('default', keys.default), collections: new Map(named) };
}

function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text`);
}
