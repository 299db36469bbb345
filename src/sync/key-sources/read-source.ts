import { fromHex, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SyncError } from '../errors.ts';
import { membersIn } from '../json-object.ts';
import { bundleBytes, wipeBundle, type KeyBundle } from '../key-bundle.ts';
import { ACCOUNT_KEY_BYTES, accountBundle, clientStateText } from './account-key.ts';
import { openKeysJwe } from './keys-jwe.ts';
import { readScopedKey, type ScopedKey } from './scoped-key.ts';
import { readSyncKey, syncKeyBundle, syncUsername } from './sync-key.ts';

/** What a person has of a key: the Sync Key of Firefox 4 to 28 with its account; kB in hexadecimal; or JSON. */
export type SyncKeySource =
  | { readonly syncKey: string; readonly account: string }
  | { readonly accountKey: string }
  | { readonly text: string };

/** The bytes of a key, and its id at the service. */
interface ReadKey {
  readonly key: Uint8Array;
  readonly foreignId?: string;
}

/**
 * Reads a key of a sync service. JSON is a JSON Web Key, keys by their scopes, or { keys_jwe, private_jwk }.
 *
 * @param keyBytes of the wanted key, among several
 * @throws RangeError for anything else; the error quotes nothing
 */
export async function readSyncKeySource(source: SyncKeySource, keyBytes: number): Promise<ReadKey> {
  try {
    if ('syncKey' in source) return { key: bytesAndWipe(firefox4Bundle(source)) };
    if ('accountKey' in source) return accountKeyIn(source.accountKey);
    return chosen(await scopedKeysIn(source.text), keyBytes);
  } catch (error) {
    const isMistake = error instanceof RangeError || error instanceof TypeError;
    const isWrong = error instanceof SyncError || error instanceof AuthenticationError;
    if (!isMistake && !isWrong) throw error;
    throw new RangeError('source: expected a key for these records, got something else');
  }
}

function firefox4Bundle({ syncKey, account }: { syncKey: string; account: string }): KeyBundle {
  const bytes = readSyncKey(syncKey);
  try {
    return syncKeyBundle(bytes, syncUsername(account));
  } finally {
    wipe(bytes);
  }
}

function accountKeyIn(text: string): ReadKey {
  const kB = fromHex(text.replaceAll(/\s/g, ''));
  try {
    if (kB.length !== ACCOUNT_KEY_BYTES) throw new RangeError('kB: expected 32 bytes');
    return { key: bytesAndWipe(accountBundle(kB)), foreignId: clientStateText(kB) };
  } finally {
    wipe(kB);
  }
}

function bytesAndWipe(bundle: KeyBundle): Uint8Array {
  const bytes = bundleBytes(bundle);
  wipeBundle(bundle);
  return bytes;
}

async function scopedKeysIn(text: string): Promise<ScopedKey[]> {
  const json = membersIn(text);
  if (!json) throw new RangeError('text: expected JSON');
  const { keys_jwe: jwe, private_jwk: own, kty } = json;
  if (typeof jwe === 'string') return openKeysJwe(jwe, own ?? {});
  if (kty !== undefined) return [readScopedKey(json)];
  return Object.entries(json).map(([scope, jwk]) => readScopedKey(jwk, scope));
}

/** The first key of this length. Wipes the others. */
function chosen(keys: readonly ScopedKey[], keyBytes: number): ReadKey {
  const found = keys.find(({ key }) => key.length === keyBytes);
  wipe(...keys.filter((each) => each !== found).map(({ key }) => key));
  if (!found) throw new RangeError('text: expected a key for this format');
  return { key: found.key, foreignId: found.kid };
}
