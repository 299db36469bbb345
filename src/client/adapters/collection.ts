import { checkOptions, checkProvider } from '../errors.ts';
import { gathering, valueOf } from './gathering.ts';
import type { BatchResult, EncryptedRecord, SealwrightSync, SyncRecord } from '../page-api.ts';

/** One collection under the user's sync key, as the adapters use it. It does not expose the key. */
export interface SealedCollection {
  readonly name: string;
  /** Rejects with the record's own SealwrightError; other records are not affected. */
  seal(record: SyncRecord): Promise<EncryptedRecord>;
  open(record: EncryptedRecord): Promise<SyncRecord>;
  /** Like `open`, with an error of this record as a result. Errors of the whole call reject. */
  tryOpen(record: EncryptedRecord): Promise<BatchResult<SyncRecord>>;
  /** Of a collection with heads (`collectionWithHeads`): is awaited before a record is deleted on its server. */
  deleting?(id: string): Promise<void>;
}

/**
 * One collection under a sync key. Calls that are made at the same time are sent as one batch, so that
 * sync libraries can work record by record.
 *
 * @param name as the user granted it: `connect({ key: { kind: 'sync', collections: [name] }, … })`
 * @param options.key the key's id, where more than one sync key is granted
 *
 * @example
 *   const notes = sealedCollection(sealwright, 'notes');
 *   const { payload } = await notes.seal({ id: 'n1', payload: { text: 'Meet me at nine' } });
 */
export function sealedCollection(
  sealwright: { readonly sync: Pick<SealwrightSync, 'encryptRecords' | 'decryptRecords'> },
  name: string,
  options: { readonly key?: string } = {},
): SealedCollection {
  checkProvider(sealwright, 'sync');
  checkOptions(options, 'key');
  const { sync } = sealwright;
  type Sealed = EncryptedRecord;
  const trySeal = gathering((all: readonly SyncRecord[]) =>
    sync.encryptRecords(name, all, options),
  );
  const tryOpen = gathering((all: readonly Sealed[]) => sync.decryptRecords(name, all, options));
  return {
    name,
    seal: async (record) => valueOf(await trySeal(record)),
    open: async (record) => valueOf(await tryOpen(record)),
    tryOpen,
  };
}

/**
 * Refuses another object in the place of a collection, such as the provider, which has a `seal` of its own.
 *
 * @throws TypeError
 */
export function checkCollection(collection: SealedCollection): void {
  if ('tryOpen' in Object(collection)) return;
  throw new TypeError('collection: expected sealedCollection(sealwright, name)');
}
