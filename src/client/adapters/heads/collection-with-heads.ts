import { checkOptions, checkProvider } from '../../errors.ts';
import type { EncryptedRecord, SealwrightSync, SyncReport } from '../../page-api.ts';
import { sealedCollection, type SealedCollection } from '../collection.ts';
import { gathering, valueOf } from '../gathering.ts';
import { generationOf } from '../quarantine.ts';

/** A record, a head or a chunk, as a server has it. */
export interface StoredRecord extends EncryptedRecord {
  /** ASCII, in heads and chunks at most 6,000 characters; empty for what is not sealed. */
  readonly payload: string;
}

/** Where a collection and its heads are stored. `kintoHeads`, `pouchHeads` and `remoteStorageHeads` make one. */
export interface HeadStore {
  /** All records of the collection, as the server has them now: no copy of the device's own. */
  records(): Promise<readonly StoredRecord[]>;
  /** One of them; undefined if the server has none under this id. */
  record(id: string): Promise<StoredRecord | undefined>;
  /** All heads and chunks; heads are read before chunks where that takes more than one request. */
  heads(): Promise<readonly StoredRecord[]>;
  /** Stores a head or a chunk in the place of the one with its id. Resolves when the server has it. */
  put(item: StoredRecord): Promise<unknown>;
  /**
   * The generation to seal a record with: above that of all versions that devices have read until now, deletions included.
   *
   * @param given the adapter's
   * @param stored reads that of the server's version, 0 where it has none that opens
   */
  generation(given: number | undefined, stored: () => Promise<number>): Promise<number>;
  /** Is called once with the collection, for stores whose deletions are sealed records. */
  start?(collection: SealedCollection): void;
}

/** What a device learns of a collection. */
export interface HeadsReport extends SyncReport {
  /**
   * Ids of records that this page has sealed and that the server has in no such version: they are still to be sent, another
   * device has changed them at the same time, or the server has dropped them.
   */
  readonly pending: readonly string[];
}

/** A collection whose devices list what they write. */
export interface CollectionWithHeads extends SealedCollection {
  /**
   * Compares what the server has with what the heads of all devices list, and then stores this device's head with what this
   * page has written. Call it when the app starts and after each sync.
   *
   * @throws SealwrightError UNSUPPORTED for keys that were not made in Sealwright, TOO_LARGE above 10,000 records, and
   *   errors of the whole call (locked, not granted …); errors of the store. What was not stored is stored by the next call
   */
  verify(): Promise<HeadsReport>;
  deleting(id: string): Promise<void>;
}

interface SealedVersion extends StoredRecord {
  readonly generation: number;
}

/** A deletion, as `sync.checkpoint` takes it. */
interface Deletion {
  readonly id: string;
  readonly deleted: true;
  readonly generation: number;
}

/** Ids of heads and of chunks (docs/sync.md, section 2.1). What else is there is not ours. */
const HEAD_ID = /^sealwright-head-[\da-f]{16}(-\d{1,3})?$/;

/** Of one record, sealed by one page and not seen on the server. */
const MAX_VERSIONS = 16;

/** Of all records, in one call of `verify`, while other devices write. */
const MAX_READS = 10;

/**
 * `sealedCollection` with heads: each device lists the records that it has written, so that all devices learn of records
 * that the server leaves out or shows in an older version (docs/sync.md, section 2.1). For the adapters that take a
 * collection, and for keys that were made in Sealwright.
 *
 * A record is listed once the server is seen to have it, and a deletion before it is sent: a device that is interrupted
 * anywhere leaves a record that no head lists, and never a head that lists a record that is not there.
 *
 * @param name as the user granted it
 * @param store of the adapter that is used
 * @param options.key the key's id, where more than one sync key is granted
 *
 * @example
 *   const heads = kintoHeads(bucket.collection('notes'), bucket.collection('notes-heads'));
 *   const notes = collectionWithHeads(sealwright, 'notes', heads);
 *   const remoteTransformers = [kintoTransformer(notes)];
 *   await kinto.collection('notes', { remoteTransformers }).sync();
 *   const { ok, missing, rolledBack } = await notes.verify();
 */
export function collectionWithHeads(
  sealwright: {
    readonly sync: Pick<
      SealwrightSync,
      'encryptRecords' | 'decryptRecords' | 'checkpoint' | 'verify'
    >;
  },
  name: string,
  store: HeadStore,
  options: { readonly key?: string } = {},
): CollectionWithHeads {
  checkProvider(sealwright, 'sync');
  checkOptions(options, 'key');
  const { sync } = sealwright;
  const collection = sealedCollection(sealwright, name, options);
  const inTurn = turns(`sealwright heads ${name}`);
  /** What this page has sealed and not listed yet, by id: libraries seal a version again where they try again. */
  const written = new Map<string, readonly SealedVersion[]>();
  /** Generations of records that this page has announced to delete, by id. */
  const deleted = new Map<string, number>();
  /** A fork that `sync.verify` has reported, which it does once, and this collection has not. */
  let isForked = false;

  const compare = async (records: readonly StoredRecord[], heads: readonly StoredRecord[]) => {
    const report = await sync.verify(name, records, heads, options);
    isForked ||= report.forked;
    return report;
  };

  const readHeads = async () => (await store.heads()).filter(({ id }) => HEAD_ID.test(id));

  /**
   * Heads first: what they list was stored before them. A device may announce a deletion after that and then delete, which
   * looks as if the server had left the record out; but then there are other heads. An alarm holds where they are the same.
   */
  const read = async () => {
    let heads = await readHeads();
    for (let reads = 1; ; reads++) {
      const records = await store.records();
      const report = await compare(records, heads);
      const after = report.ok ? heads : await readHeads();
      if (areSame(heads, after) || reads === MAX_READS) return { records, report };
      heads = after;
    }
  };

  /** Stores the next head of this device. `compare` has to come before: it says which chunks the server lacks. */
  const list = async (changes: readonly (EncryptedRecord | Deletion)[]): Promise<void> => {
    const { head, chunks } = await sync.checkpoint(name, changes, options);
    for (const item of [...chunks, head]) await store.put(item);
  };

  const openedAt = async (id: string) => {
    const stored = await store.record(id);
    return stored && collection.tryOpen(stored);
  };

  /**
   * Lists the deletion under the generation of the version that is deleted: neither that the record is there nor that it is
   * not raises an alarm from then on, until `verify` finds it deleted.
   */
  const announce = gathering(async (all: readonly Deletion[]) => {
    await inTurn(async () => {
      await compare([], await readHeads());
      await list(all);
    });
    return all.map((value) => ({ ok: true, value }) as const);
  });

  const withHeads: CollectionWithHeads = {
    ...collection,

    async seal(record) {
      const { id, generation: given } = record;
      const generation = await store.generation(given as number | undefined, async () => {
        const opened = await openedAt(id);
        return opened?.ok ? generationOf(opened.value) : 0;
      });
      const sealed = await collection.seal({ ...record, generation });
      const before = written.get(id) ?? [];
      written.set(
        id,
        [...before, { id, payload: sealed.payload, generation }].slice(-MAX_VERSIONS),
      );
      deleted.delete(id);
      return sealed;
    },

    async deleting(id) {
      written.delete(id);
      const opened = await openedAt(id);
      if (!opened) return;
      // What does not open is missing already, until a deletion is above all that heads know of it.
      const generation = opened.ok
        ? generationOf(opened.value)
        : await store.generation(undefined, () => Promise.resolve(0));
      valueOf(await announce({ id, deleted: true, generation }));
      deleted.set(id, generation);
    },

    verify: () =>
      inTurn(async () => {
        const before = new Map(written);
        const { records, report } = await read();
        const there = new Set(records.map(({ id, payload }) => `${payload} ${id}`));
        const ids = new Set(records.map(({ id }) => id));
        const stored = [...before.values()].flatMap(
          (all) => all.findLast((one) => there.has(`${one.payload} ${one.id}`)) ?? [],
        );
        const gone = [...deleted].filter(([id]) => !ids.has(id));
        const deletions = gone.map(([id, generation]): Deletion => ({
          id,
          deleted: true,
          generation: generation + 1,
        }));
        if (stored.length + gone.length > 0) await list([...stored, ...deletions]);
        for (const { id, generation } of stored) {
          const newer = (written.get(id) ?? []).filter((one) => one.generation > generation);
          if (newer.length > 0) written.set(id, newer);
          else written.delete(id);
        }
        for (const [id] of gone) deleted.delete(id);
        const forked = isForked;
        isForked = false;
        const pending = [...before.keys()].filter((id) => written.has(id));
        return { ...report, forked, ok: report.ok && !forked, pending };
      }),
  };
  store.start?.(withHeads);
  return withHeads;
}

function areSame(heads: readonly StoredRecord[], after: readonly StoredRecord[]): boolean {
  const payloads = new Set(heads.map(({ payload }) => payload));
  return heads.length === after.length && after.every(({ payload }) => payloads.has(payload));
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * One after the other, in all tabs of this origin: heads of one device have an order. Where there are no Web Locks, such as in
 * Node before version 24, one after the other of this collection.
 */
function turns(name: string): InTurn {
  const { navigator = {} } = globalThis as {
    readonly navigator?: { readonly locks?: LockManager };
  };
  const { locks } = navigator;
  if (locks) return (work) => locks.request(name, work) as ReturnType<typeof work>;
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
