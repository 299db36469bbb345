import { checkCollection, type SealedCollection } from './collection.ts';
import { contentOf, membersOf, sealedText } from './content.ts';
import type { Fields } from './content.ts';
import { checkOptions, SealwrightClientError } from '../errors.ts';
import { openedOrQuarantined, quarantineOf, untouchedPayload } from './quarantine.ts';
import type { QuarantineOptions } from './quarantine.ts';
import { areSealed, namedAttachments, type Attachments } from './sealed-attachments.ts';

/** A document of PouchDB. */
export interface PouchDocument {
  readonly _id?: string;
  readonly _rev?: string;
  readonly _revisions?: unknown;
  readonly _attachments?: Attachments;
  readonly [field: string]: unknown;
}

/** What transform-pouch calls with each document that is written, and each that is read. */
export interface TransformHooks {
  incoming(document: PouchDocument): Promise<PouchDocument>;
  outgoing(document: PouchDocument): Promise<PouchDocument>;
}

/** The methods of a PouchDB with the plugin transform-pouch that are used here. */
export interface TransformableDatabase {
  type(): string;
  transform(hooks: TransformHooks): void;
}

/** A PouchDB as `@types/pouchdb-core` has it, which knows neither `type` nor the methods of plugins. */
export interface PouchDatabase {
  info(): Promise<object>;
}

/**
 * Seals every document that is written to a CouchDB and opens every document that is read. For
 * replication, use it on the **remote** database and leave the local one unchanged. The server sees
 * ids, revisions, deletions and sizes. Attachments have to be sealed (`pouchAttachments` of sealwright/adapters).
 *
 * On a local database the hooks would open documents during replication and send them to the server
 * in the clear. This is refused.
 *
 * @example
 *   PouchDB.plugin(transformPouch);
 *   const remote = new PouchDB('https://couch.example/notes');
 *   pouchTransform(remote, sealedCollection(sealwright, 'notes'));
 *   await PouchDB.sync('notes', remote);
 *
 * @throws SealwrightClientError LOCAL_DATABASE; TypeError without the plugin transform-pouch
 */
export function pouchTransform(
  remote: TransformableDatabase | PouchDatabase,
  collection: SealedCollection,
  options: QuarantineOptions = {},
): void {
  checkCollection(collection);
  checkOptions(options, 'onQuarantine');
  if (!('transform' in remote)) throw new TypeError('First call PouchDB.plugin(transformPouch).');
  if (remote.type() !== 'http') throw localDatabase(remote.type());
  remote.transform(documentHooks(collection, options));
  // It goes to the server without the transform.
  Object.assign(remote, { putAttachment: () => Promise.reject(attachment()) });
}

/** The hooks alone. They open documents, so a handle that has them must not be replicated with a server. */
export function documentHooks(
  collection: SealedCollection,
  options: QuarantineOptions,
): TransformHooks {
  return {
    incoming: (document) => sealedDocument(document, collection),
    outgoing: (document) => openedDocument(document, collection, options),
  };
}

async function sealedDocument(
  document: PouchDocument,
  collection: SealedCollection,
): Promise<PouchDocument> {
  const { _attachments: attachments = {}, _id = crypto.randomUUID() } = document;
  if (!(await areSealed(attachments))) throw attachment();
  const internal = { ...internalOf(document, attachments), _id };
  const content = membersOf(document, isContent);
  const untouched = untouchedPayload(content, payloadOf);
  if (untouched !== undefined) return { ...internal, payload: untouched };
  // Nested, because the document may have its own `id`, while Firefox formats need the record's id there.
  const payload = { id: _id, document: content };
  const generation = replicatedAs(document);
  const sealed = await collection.seal({ id: _id, payload, ...(generation > 0 && { generation }) });
  return { ...internal, payload: sealed.payload };
}

async function openedDocument(
  document: PouchDocument,
  collection: SealedCollection,
  options: QuarantineOptions,
): Promise<PouchDocument> {
  const id = document._id!;
  const sealed = membersOf(document, isContent);
  const arrival = {
    id,
    sealed,
    payload: () => payloadOf(sealed),
    content: (payload: unknown, generation: number) => {
      checkRevision(document, generation);
      return contentOf(contentOf(payload)['document']);
    },
  };
  const content = await openedOrQuarantined(collection, arrival, options);
  // Of a quarantined document it is not known which attachments are its own.
  const names = quarantineOf(content) ? undefined : (content as Fields);
  const attachments = namedAttachments(document._attachments ?? {}, names);
  return { ...content, ...internalOf(document, attachments) };
}

const payloadOf = (sealed: object): string => sealedText((sealed as Fields)['payload']);

/**
 * The number of the revision that a document is written as; 0 where CouchDB gives it one: only replication writes with
 * `_revisions`, under a revision that exists.
 */
function replicatedAs({ _rev, _revisions }: PouchDocument): number {
  return _revisions === undefined ? 0 : revisionNumber(_rev);
}

/** @throws SealwrightClientError WRONG_PLACE for the payload of another revision */
function checkRevision({ _rev }: PouchDocument, sealedAs: number): void {
  if (sealedAs === 0 || _rev === undefined || revisionNumber(_rev) === sealedAs) return;
  throw new SealwrightClientError('WRONG_PLACE', 'This is the content of another revision.');
}

/** The document of this id; undefined where the database has none, or a deleted one. */
export async function existing(
  database: { get(id: string): Promise<PouchDocument> },
  id: string,
): Promise<PouchDocument | undefined> {
  try {
    return await database.get(id);
  } catch (error) {
    if ((error as { readonly status?: number }).status === 404) return undefined;
    throw error;
  }
}

/** 3 of "3-917fa2381192822767f010b95b45325b". */
export const revisionNumber = (revision = ''): number =>
  Number(/^\d+(?=-)/.exec(revision)?.[0] ?? 0);

/** CouchDB's own members, with these attachments. */
function internalOf(document: PouchDocument, attachments: Attachments): Fields {
  const internal = membersOf(document, (name) => !isContent(name) && name !== '_attachments');
  return Object.keys(attachments).length === 0
    ? internal
    : { ...internal, _attachments: attachments };
}

/** CouchDB reserves names that begin with _. */
function isContent(name: string): boolean {
  return !name.startsWith('_');
}

function localDatabase(adapter: string): SealwrightClientError {
  return new SealwrightClientError(
    'LOCAL_DATABASE',
    `Replication reads a local database (${adapter}) through its transform: everything would go to the server in the clear. Put pouchTransform on the remote handle.`,
  );
}

function attachment(): SealwrightClientError {
  return new SealwrightClientError(
    'ATTACHMENT',
    'This attachment is not sealed. Use pouchAttachments of sealwright/adapters.',
  );
}
