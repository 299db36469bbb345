import { fromHex, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { ImportedSyncKey } from '../../keys/ring/sync-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf } from '../../rpc/methods/methods.ts';
import {
  ACCOUNT_KEY_BYTES,
  accountBundle,
  clientStateText,
} from '../../sync/key-sources/account-key.ts';
import { SyncError } from '../../sync/errors.ts';
import { membersIn } from '../../sync/json-object.ts';
import { bundleBytes, wipeBundle } from '../../sync/key-bundle.ts';
import type { KeyBundle } from '../../sync/key-bundle.ts';
import { openKeysJwe } from '../../sync/key-sources/keys-jwe.ts';
import { readScopedKey } from '../../sync/key-sources/scoped-key.ts';
import type { ScopedKey } from '../../sync/key-sources/scoped-key.ts';
import { readSyncKey, syncKeyBundle, syncUsername } from '../../sync/key-sources/sync-key.ts';

type ImportRequest = Omit<ParamsOf<'ui.importSyncKey'>, 'label'>;
type Format = ImportRequest['format'];

/** Bytes of a key: two keys for Weave and Kinto, one key-wrapping key for Notes. */
const KEY_BYTES: Readonly<Record<Format, number>> = { 'weave-5': 64, kinto: 64, notes: 32 };

/**
 * Reads a key of a sync service: the Sync Key of Firefox 4 to 28 with its account, the secret kB of a Mozilla account,
 * or scoped keys as JSON. The key keeps its format.
 *
 * @throws SealwrightError INVALID_ARGUMENT for anything else; the error quotes nothing
 */
export async function importedSyncKey({ format, source }: ImportRequest): Promise<ImportedSyncKey> {
  const read = await keyIn(source, format);
  if (read.key.length === KEY_BYTES[format]) return { format, ...read };
  wipe(read.key);
  throw notImportable('a key of another kind');
}

type ReadKey = Omit<ImportedSyncKey, 'format'>;

async function keyIn(source: ImportRequest['source'], format: Format): Promise<ReadKey> {
  try {
    if ('syncKey' in source) return { key: bytesAndWipe(firefox4Bundle(source)) };
    if ('accountKey' in source) return accountKeyIn(source.accountKey);
    return chosen(await scopedKeysIn(source.text), format);
  } catch (error) {
    const isMistake = error instanceof RangeError || error instanceof TypeError;
    const isWrong = error instanceof SyncError || error instanceof AuthenticationError;
    throw isMistake || isWrong ? notImportable('something else') : error;
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

/** Reads a JSON Web Key, keys by their scopes, or { keys_jwe, private_jwk }. */
async function scopedKeysIn(text: string): Promise<ScopedKey[]> {
  const json = parsed(text);
  const { keys_jwe: jwe, private_jwk: own, kty } = json;
  if (typeof jwe === 'string') return openKeysJwe(jwe, own ?? {});
  if (kty !== undefined) return [readScopedKey(json)];
  return Object.entries(json).map(([scope, jwk]) => readScopedKey(jwk, scope));
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const members = membersIn(text);
  if (!members) throw new RangeError('text: expected JSON');
  return members;
}

/** The first key that fits the format. Wipes the others. */
function chosen(keys: readonly ScopedKey[], format: Format): ReadKey {
  const found = keys.find(({ key }) => key.length === KEY_BYTES[format]);
  wipe(...keys.filter((each) => each !== found).map(({ key }) => key));
  if (!found) throw new RangeError('text: expected a key for this format');
  return { key: found.key, foreignId: found.kid };
}

function notImportable(instead: string): SealwrightError {
  return new SealwrightError(
    'INVALID_ARGUMENT',
    `source: expected a key for these records, got ${instead}`,
  );
}
