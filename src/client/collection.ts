import { gathering } from './gathering.ts';
import type { EncryptedRecord, SealwrightSync, SyncRecord } from './page-api.ts';

/** What the adapters take: one collection of the user's sync key. No key ever comes out of it. */
export interface SealedCollection {
  readonly name: string;
  /** Rejects with the record's own SealwrightError; other records are not touched by that. */
  seal(record: SyncRecord): Promise<EncryptedRecord>;
  open(record: EncryptedRecord): Promise<SyncRecord>;
}

/**
 * One collection under a sync key. Calls that are made together travel together, so that a sync
 * library may go record by record.
 *
 * @param name as the user granted it: `connect({ key: { kind: 'sync', collections: [name] }, … })`
 * @param options.key the key's id, where more than one sync key is granted
 *
 * @example
 *   const notes = sealedCollection(sealwright, 'notes');
 *   const { payload } = await notes.seal({ id: 'n1', payload: { text: 'Meet me at nine' } });
 */
export function sealedCollection(
  { sync }: { readonly sync: Pick<SealwrightSync, 'encryptRecords' | 'decryptRecords'> },
  name: string,
  options: { readonly key?: string } = {},
): SealedCollection {
  return {
    name,
    seal: gathering((records) => sync.encryptRecords(name, records, options)),
    open: gathering((records) => sync.decryptRecords(name, records, options)),
  };
}
