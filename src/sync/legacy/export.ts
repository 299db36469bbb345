import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SyncError } from '../errors.ts';
import type { JsonObject } from '../json-object.ts';
import { wipeBundle } from '../key-bundle.ts';
import { dataOf, keyNameIn, keyPairOf, readLegacyAccount, wrappedKeysOf } from './account.ts';
import type { LegacyAccount, StoredRecord, WrappedKeys } from './account.ts';
import { legacyBundle, openLegacyKeyPair } from './keys.ts';
import type { LegacyDeps, LegacyPrivateKey } from './keys.ts';
import { openLegacyRecord } from './record.ts';
import type { BulkIv } from './record.ts';
import { recordCipher } from '../record-cipher.ts';
import type { RecordAlgorithms, RecordCipher } from '../record-cipher.ts';

/** The decrypted records of an account of storage versions 1 to 3. These versions are only read. */
export interface LegacyExport {
  /** Decrypted records by collection. */
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
  /** Records that could not be decrypted, as "bookmarks/abc". */
  readonly failed: readonly string[];
}

/** The algorithms that an export uses. */
export interface LegacyExportDeps extends LegacyDeps {
  readonly algorithms: RecordAlgorithms;
}

/**
 * Decrypts an account. A record that fails does not affect the others.
 *
 * @param text JSON; account.ts has its form
 * @throws SyncError BAD_RECORD if the text is not such an account; AuthenticationError for a wrong
 *   passphrase
 */
export async function openLegacyExport(
  text: string,
  passphrase: string,
  deps: LegacyExportDeps,
): Promise<LegacyExport> {
  const account = readLegacyAccount(text);
  const key = await openLegacyKeyPair(keyPairOf(account), passphrase, deps);
  const ciphers = new LegacyCiphers(account, key, deps.algorithms);
  const failed: string[] = [];
  try {
    const collections = new Map<string, JsonObject[]>();
    for (const [name, records] of dataOf(account)) {
      const opened = await Promise.all(records.map((record) => openedOrNot(record, name, ciphers)));
      collections.set(
        name,
        opened.filter((one) => one !== undefined),
      );
      records.forEach(({ id }, i) => opened[i] === undefined && failed.push(`${name}/${id}`));
    }
    return { collections: Object.fromEntries(collections), failed };
  } finally {
    ciphers.wipe();
    key.wipe();
  }
}

async function openedOrNot(
  { id, payload }: StoredRecord,
  collection: string,
  ciphers: LegacyCiphers,
): Promise<JsonObject | undefined> {
  try {
    const { cipher, bulkIv } = await ciphers.of(keyNameIn(payload) ?? collection);
    return await openLegacyRecord(cipher, id, payload, bulkIv);
  } catch (error) {
    if (error instanceof SyncError || error instanceof AuthenticationError) return undefined;
    throw error;
  }
}

interface LegacyCipher {
  readonly cipher: RecordCipher;
  readonly bulkIv: BulkIv;
}

/** The keys of the collections. Each is unwrapped at its first use, with one RSA operation. */
class LegacyCiphers {
  readonly #account: LegacyAccount;
  readonly #key: LegacyPrivateKey;
  readonly #algorithms: RecordAlgorithms;
  readonly #known = new Map<string, Promise<LegacyCipher>>();
  readonly #made: RecordCipher[] = [];

  constructor(account: LegacyAccount, key: LegacyPrivateKey, algorithms: RecordAlgorithms) {
    this.#account = account;
    this.#key = key;
    this.#algorithms = algorithms;
  }

  /** @throws SyncError, AuthenticationError: computed once, the same for every later call */
  of(collection: string): Promise<LegacyCipher> {
    const cipher = this.#known.get(collection) ?? this.#unwrapped(collection);
    this.#known.set(collection, cipher);
    return cipher;
  }

  wipe(): void {
    for (const cipher of this.#made) cipher.wipe();
  }

  async #unwrapped(collection: string): Promise<LegacyCipher> {
    const { wrapped, bulkIv } = wrappedKeysOf(this.#account, collection);
    const aesKey = unwrap(this.#key, wrapped);
    const bundle = legacyBundle(aesKey);
    const cipher = await recordCipher(this.#algorithms, bundle);
    this.#made.push(cipher);
    wipe(aesKey);
    wipeBundle(bundle);
    return { cipher, bulkIv };
  }
}

/** In a shared collection the key is wrapped for each reader. Tries all of them. */
function unwrap(key: LegacyPrivateKey, wrapped: WrappedKeys['wrapped']): Uint8Array {
  for (const { text, tag } of wrapped) {
    try {
      return key.unwrap(text, tag);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
    }
  }
  throw new AuthenticationError();
}
