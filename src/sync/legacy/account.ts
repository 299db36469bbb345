import { fromBase64 } from '../base64.ts';
import { SyncError } from '../errors.ts';
import { isObject, membersIn } from '../json-object.ts';
import type { JsonObject } from '../json-object.ts';
import type { LegacyKeyPair } from './keys.ts';

/*
 * An account of storage versions 1 to 3 as its server returned it: a JSON object of collections, each
 * a list of records (the answer of Weave servers to `?full=1`):
 *
 *     {"keys":      [{"id": "pubkey", "payload": "{…}"}, {"id": "privkey", "payload": "{…}"}],
 *      "crypto":    [{"id": "bookmarks", "payload": "{\"keyring\":{…}}"}],
 *      "bookmarks": [{"id": "…", "payload": "{\"encryption\":\"…/crypto/bookmarks\",…}"}, …]}
 */

/** A record as the server stored it. */
export interface StoredRecord {
  readonly id: string;
  readonly payload: string;
}
/** Records by collection. */
export type LegacyAccount = ReadonlyMap<string, readonly StoredRecord[]>;

const NOTHING: JsonObject = {};

/** Collections of keys and of unencrypted metadata. */
const NO_DATA = ['keys', 'crypto', 'meta'];

/** Whether a text looks like such an account: it has a collection `keys`. */
export function isLegacyAccount(text: string): boolean {
  return text.startsWith('{') && Array.isArray(membersIn(text)?.['keys']);
}

/** Parses an account. Nothing is decrypted. @throws SyncError BAD_RECORD */
export function readLegacyAccount(text: string): LegacyAccount {
  const collections = Object.entries(objectIn(text)).map(([name, records]) => {
    if (!Array.isArray(records) || !records.every(isStoredRecord)) throw noAccount();
    return [name, records] as const;
  });
  return new Map(collections);
}

/** The collections that contain user data. */
export function dataOf(account: LegacyAccount): [string, readonly StoredRecord[]][] {
  return [...account].filter(([name]) => !NO_DATA.includes(name));
}

/** The encrypted RSA key pair of an account. @throws SyncError BAD_RECORD */
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

/** The content of crypto/<collection>: the wrapped key of each reader, and the IV of version 1. */
export interface WrappedKeys {
  readonly wrapped: readonly { readonly text: string; readonly tag?: string }[];
  readonly bulkIv: Uint8Array | undefined;
}

/** The wrapped keys of a collection. @throws SyncError BAD_RECORD */
export function wrappedKeysOf(account: LegacyAccount, collection: string): WrappedKeys {
  const { keyring, bulkIV } = payloadOf(account, 'crypto', collection);
  const entries = Object.values(isObject(keyring) ? keyring : {});
  return {
    wrapped: entries.flatMap((entry) => wrappedIn(entry)),
    bulkIv: typeof bulkIV === 'string' ? fromBase64(bulkIV) : undefined,
  };
}

/** Version 1 stores the text alone, version 3 an HMAC beside it. */
function wrappedIn(entry: unknown): WrappedKeys['wrapped'] {
  if (typeof entry === 'string') return [{ text: entry }];
  const { wrapped, hmac } = isObject(entry) ? entry : NOTHING;
  return typeof wrapped === 'string' && typeof hmac === 'string'
    ? [{ text: wrapped, tag: hmac }]
    : [];
}

/** The collection whose key a record names, by "../crypto/bookmarks" or a full URL. */
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
