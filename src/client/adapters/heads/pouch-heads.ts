import { checkOptions } from '../../errors.ts';
import type { SealedCollection } from '../collection.ts';
import type { PouchDatabase, PouchDocument } from '../pouch.ts';
import { existing, revisionNumber } from '../pouch.ts';
import type { HeadStore, StoredRecord } from './collection-with-heads.ts';

/** Handles of databases. */
export interface PouchHeadsOptions {
  /** The remote handle that is replicated with; it may have `pouchTransform`. */
  readonly remote: PouchDatabase;
  /** Another handle of the same database, which stays as it is. */
  readonly records: PouchDatabase;
  /** Another database on the server, which the user may write, for heads alone. */
  readonly heads: PouchDatabase;
}

/** What is used of all three. */
interface Database {
  allDocs(options: { readonly include_docs: true }): Promise<{ readonly rows: readonly Row[] }>;
  changes(options: object): PromiseLike<{ readonly results: readonly Change[] }>;
  get(id: string, options?: { readonly rev: string }): Promise<PouchDocument>;
  put(document: PouchDocument): Promise<unknown>;
  bulkDocs(documents: Documents, ...rest: readonly unknown[]): Promise<unknown>;
}

interface Row {
  readonly id: string;
  readonly doc?: PouchDocument;
}

/** A document with all of its leaves, deleted ones included; `doc` is the one that the database shows. */
interface Change extends Row {
  readonly changes: readonly { readonly rev: string }[];
}

type Documents = readonly PouchDocument[] | { readonly docs: readonly PouchDocument[] };

/** A conflict is another page's write. */
const TRIES = 3;

/**
 * Heads of a database of CouchDB, in another database of the server: nothing of them is replicated with the documents. From
 * then on `remote` has deletions sealed, too, and takes documents from replication alone.
 *
 * Of a document in conflict the leaf with the highest revision number counts: it is what its generation is sealed with.
 *
 * @example
 *   const [remote, records] = [new PouchDB(url), new PouchDB(url)];
 *   const heads = pouchHeads({ remote, records, heads: new PouchDB(`${url}-heads`) });
 *   const notes = collectionWithHeads(sealwright, 'notes', heads);
 *   pouchTransform(remote, notes);
 */
export function pouchHeads(options: PouchHeadsOptions): HeadStore {
  checkOptions(options, 'remote', 'records', 'heads');
  const { remote, records, heads } = options;
  const [documents, own] = [records, heads] as unknown as readonly [Database, Database];
  return {
    async records() {
      const asked = { since: 0, include_docs: true, style: 'all_docs' };
      const { results } = await documents.changes(asked);
      const found = results.filter(isDocument).map((change) => leaves(documents, change));
      return (await Promise.all(found)).flat();
    },
    async record(id) {
      const document = await existing(documents, id);
      return document && storedRecord(id, document);
    },
    async heads() {
      const { rows } = await own.allDocs({ include_docs: true });
      return rows.filter(isDocument).map(({ id, doc }) => storedRecord(id, doc));
    },
    put: (item) => replaced(own, item),
    generation: (given) =>
      given === undefined
        ? Promise.reject(new TypeError('With heads, write to a local database and replicate it.'))
        : Promise.resolve(given),
    start: (collection) => sealTombstones(remote as unknown as Database, collection),
  };
}

/** The leaves with the highest revision number, of which one counts. */
async function leaves(
  documents: Database,
  { id, changes, doc }: Change,
): Promise<readonly StoredRecord[]> {
  const highest = Math.max(...changes.map(({ rev }) => revisionNumber(rev)));
  const top = changes.filter(({ rev }) => revisionNumber(rev) === highest);
  const read = top.map(async ({ rev }) => (rev === doc?._rev ? doc : documents.get(id, { rev })));
  return (await Promise.all(read)).map((document) => storedRecord(id, document));
}

async function replaced(database: Database, { id, payload }: StoredRecord): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await existing(database, id);
    try {
      await database.put({ _id: id, ...(before?._rev && { _rev: before._rev }), payload });
      return;
    } catch (error) {
      const { status } = error as { readonly status?: number };
      if (status !== 409 || tries === TRIES) throw error;
    }
  }
}

/**
 * CouchDB keeps deleted documents with their content. A replicated deletion has none, and transform-pouch leaves it as it is:
 * here it gets one, so that a deletion is a sealed version like any other. One that the server makes up does not open.
 */
function sealTombstones(remote: Database, collection: SealedCollection): void {
  const sealed = async (document: PouchDocument): Promise<PouchDocument> => {
    const { _id, _rev, _deleted, _revisions, payload } = document;
    if (_deleted !== true || _revisions === undefined || payload !== undefined) return document;
    const content = { id: _id!, payload: { id: _id!, document: {} } };
    const generation = revisionNumber(_rev);
    return { ...document, payload: (await collection.seal({ ...content, generation })).payload };
  };
  const bulkDocs = remote.bulkDocs.bind(remote);
  const all = (documents: readonly PouchDocument[]) => Promise.all(documents.map(sealed));
  remote.bulkDocs = async (documents, ...rest) =>
    bulkDocs(
      'docs' in documents
        ? { ...documents, docs: await all(documents.docs) }
        : await all(documents),
      ...rest,
    );
}

const isDocument = ({ id }: Row): boolean => !id.startsWith('_');

function storedRecord(id: string, document?: PouchDocument): StoredRecord {
  const { payload } = document ?? {};
  return { id, payload: typeof payload === 'string' ? payload : '' };
}
