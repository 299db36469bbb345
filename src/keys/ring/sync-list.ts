import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/*
 * What this device keeps of a collection, to tell what a server left out: the records that it wrote, and the last head that
 * it saw of each device. src/sync/sealwright/own-list.ts has the content, which is one text for the list and one for each of
 * its parts. Backups have none of it: two devices with one list would be reported as copies of each other.
 */

/** The type of the first record of a list. */
export const SYNC_LIST = 'sync-list';
/** The type of the records of its parts. */
export const SYNC_LIST_PART = 'sync-list-part';

/** Lists of one vault, at most; each has up to 3 MB. */
export const SYNC_LISTS_MAX = 32;

/** Of which list: the collection of a key. */
export interface SyncListName {
  readonly ref: string;
  readonly collection: string;
}

interface SyncListValue extends SyncListName {
  readonly parts: number;
  readonly text: string;
}

/** The id of the record of a part; 0 is the list's own. */
export const syncListId = ({ ref, collection }: SyncListName, place: number): string =>
  `${SYNC_LIST} ${ref} ${place} ${collection}`;

/** The first record of a list. @param parts that it has beside this one */
export function syncListRecord(name: SyncListName, parts: number, text: string): VaultRecord {
  const value = { ...name, parts, text };
  return { id: syncListId(name, 0), type: SYNC_LIST, value };
}

/** The record of a part. @param place from 1 */
export function syncListPartRecord(name: SyncListName, place: number, text: string): VaultRecord {
  const value: Json = { text };
  return { id: syncListId(name, place), type: SYNC_LIST_PART, value };
}

/** The content of a record of either type. */
export const syncListText = ({ value }: VaultRecord): string => (value as { text: string }).text;

/** What the first record of a list says of it. */
export const syncListOf = ({ value }: VaultRecord): SyncListValue =>
  value as unknown as SyncListValue;

/** The ids of all records of a list, in the order of the parts. */
export function syncListIds(first: VaultRecord): string[] {
  const list = syncListOf(first);
  return Array.from({ length: list.parts + 1 }, (_, place) => syncListId(list, place));
}
