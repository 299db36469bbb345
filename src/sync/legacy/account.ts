import { fromBase64 } from '../base64.ts';
import { SyncError } from '../errors.ts';
import { isObject, membersIn } from '../json-object.ts';
import type { JsonObject } from '../json-object.ts';
import type { LegacyKeyPair } from './keys.ts';

/*
 * An account of storage versions 1 to 3 as its server gave it: a JSON object of collections, each the
 * list of its records (what Weave's servers answer to `?full=1`):
 *
 *     {"keys":      [{"id": "pubkey", "payload": "{…}"}, {"id": "privkey", "payload": "{…}"}],
 *      "crypto":    [{"id": "bookmarks", "payload": "{\"keyring\":{…}}"}],
 *      "bookmarks": [{"id": "…", "payload": "{\"encryption\":\"…/crypto/bookmarks\",…}"}, …]}
 */

export interface StoredRecord {
  readonly id: string;
  readonly payload: string;
}
export type LegacyAccount = ReadonlyMap<string, readonly StoredRecord[]>;

const NOTHING: JsonObject = {};

/** The keys themselves, and what the server is told in the clear. */
const NO_DATA = ['keys', 'crypto', 'meta'];

/** Whether a text seems to be one, whatever is in it: it has a collection of keys. */
export function isLegacyAccount(text: string): boolean {
  return text.startsWith('{') && Array.isArray(membersIn(text)?.['keys']);
}

/** @throws SyncError BAD_RECORD */
export function readLegacyAccount(text: string): LegacyAccount {
  const collections = Object.entries(objectIn(text)).map(([name, records]) => {
    if (!Array.isArray(records) || !records.every(isStoredRecord)) throw noAccount();
    return [name, records] as const;
  });
  return new Map(collections);
}

/** The collections with records of the user's own. */
export function dataOf(account: LegacyAccount): [string, readonly StoredRecord[]][] {
  return [...account].filter(([name]) => !NO_DATA.includes(name));
}

/** @throws SyncError BAD_RECORD */
export function keyPairOf(account: LegacyAccount): LegacyKeyPair {
  const { salt, iv, keyData } = payloadOf(account, 'keys', 'privkey');
  const { keyData: publicKeyData } = payloadOf(account, 'keys', 'pubkey');
  return {
    salt: base64Text(salt),
    iv: base64Text(iv),
    privateKeyData: base64Text(keyData),
    publicKeyData: base64Text(publicKeyData),
  };
}

/** What crypto/<collection> has: the key, wrapped for each reader, and version 1's one IV. */
export interface WrappedKeys {
  readonly wrapped: readonly { readonly text: string; readonly tag?: string }[];
  readonly bulkIv: Uint8Array | undefined;
}

/** @throws SyncError BAD_RECORD */
export function wrappedKeysOf(account: LegacyAccount, collection: string): WrappedKeys {
  const { keyring, bulkIV } = payloadOf(account, 'crypto', collection);
  const entries = Object.values(isObject(keyring) ? keyring : {});
  return {
    wrapped: entries.flatMap((entry) => wrappedIn(entry)),
    bulkIv: typeof bulkIV === 'string' ? fromBase64(bulkIV) : undefined,
  };
}

/** Version 1 has the text alone, version 3 an HMAC beside it. */
function wrappedIn(entry: unknown): WrappedKeys['wrapped'] {
  if (typeof entry === 'string') return [{ text: entry }];
  const { wrapped, hmac } = isObject(entry) ? entry : NOTHING;
  return typeof wrapped === 'string' && typeof hmac === 'string'
    ? [{ text: wrapped, tag: hmac }]
    : [];
}

/** "../crypto/bookmarks" or a whole address: a record says itself whose key it is sealed with. */
export function keyNameIn(payload: string): string | undefined {
  const { encryption } = membersIn(payload) ?? NOTHING;
  return typeof encryption === 'string' ? /\/crypto\/([^/?#]+)$/.exec(encryption)?.[1] : undefined;
}

function payloadOf(account: LegacyAccount, collection: string, id: string): JsonObject {
  const record = account.get(collection)?.find((one) => one.id === id);
  if (!record) throw noAccount();
  return objectIn(record.payload);
}

function isStoredRecord(value: unknown): value is StoredRecord {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['payload'] === 'string';
}

function objectIn(text: string): JsonObject {
  const value = membersIn(text);
  if (!isObject(value)) throw noAccount();
  return value;
}

function base64Text(value: unknown): string {
  if (typeof value !== 'string' || !fromBase64(value)) throw noAccount();
  return value;
}

function noAccount(): SyncError {
  return new SyncError('BAD_RECORD', 'text: expected the collections of an account of Weave');
}
