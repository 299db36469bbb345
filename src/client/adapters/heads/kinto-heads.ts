import { SealwrightClientError } from '../../errors.ts';
import { gatheredUp } from '../kinto.ts';
import type { HeadStore, StoredRecord } from './collection-with-heads.ts';

/** A collection of kinto-http.js, which kinto.js has as `kinto.api.bucket(…).collection(…)`. */
export interface KintoCollection {
  listRecords(options: { readonly pages: number }): Promise<{ readonly data: readonly object[] }>;
  getRecord(id: string): Promise<unknown>;
  /** Of all records, deleted ones included: `"1700000000000"`, with its quotes. */
  getRecordsTimestamp(): Promise<string | null>;
  updateRecord(record: StoredRecord): Promise<unknown>;
}

/**
 * Heads of a collection of Kinto, in another one that the user may write: kinto.js does not sync it, so that the app's lists
 * do not have them. The server sees which device writes when, and how many records it has listed.
 *
 * @example
 *   const bucket = kinto.api.bucket('default');
 *   const heads = kintoHeads(bucket.collection('notes'), bucket.collection('notes-heads'));
 */
export function kintoHeads(records: KintoCollection, heads: KintoCollection): HeadStore {
  let asked: Promise<number> | undefined;
  /** Above the time of every version, and of every deletion. */
  const timestamp = async (): Promise<number> =>
    Number((await records.getRecordsTimestamp())?.replaceAll('"', '') ?? 0);
  return {
    records: () => all(records),
    heads: () => all(heads),
    async record(id) {
      try {
        const { data } = (await records.getRecord(id)) as { readonly data: object };
        return storedRecord(data);
      } catch (error) {
        const { response } = error as { readonly response?: { readonly status?: number } };
        if (response?.status === 404) return undefined;
        throw error;
      }
    },
    put: ({ id, payload }) => heads.updateRecord({ id, payload }),
    // Records that are new have no time yet. One of that id may have been deleted.
    generation: async (given) =>
      given ?? (await (asked ??= timestamp().finally(() => (asked = undefined)))),
  };
}

async function all(collection: KintoCollection): Promise<StoredRecord[]> {
  const { data } = await collection.listRecords({ pages: Infinity });
  return data.map(storedRecord);
}

function storedRecord(record: object): StoredRecord {
  const { id } = record as StoredRecord;
  try {
    return { id, payload: gatheredUp(record) };
  } catch (error) {
    if (error instanceof SealwrightClientError) return { id, payload: '' };
    throw error;
  }
}
