import { checkOptions } from '../errors.ts';
import { checkCollection, type SealedCollection } from './collection.ts';
import { documentHooks, type PouchDocument, type TransformHooks } from './pouch.ts';
import type { QuarantineOptions } from './quarantine.ts';

/** A local database of PouchDB, with the plugins transform-pouch and replication. */
export interface LocalPouch {
  readonly name: string;
}

/** What is used of both. */
interface Database extends LocalPouch {
  readonly adapter: string;
  readonly constructor: new (name: string, options: { readonly adapter: string }) => Database;
  type(): string;
  transform(hooks: TransformHooks): void;
  sync(other: Database, options: { readonly live: true; readonly retry: true }): PouchSync;
  readonly replicate: {
    from(other: Database): PromiseLike<unknown>;
    to(other: Database): PromiseLike<unknown>;
  };
}

interface PouchSync {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  cancel(): void;
}

/** A sealed local database that is open for queries. */
export interface OpenedPouch {
  /** Resolves when every change of the opened database until now is sealed and stored. */
  saved(): Promise<void>;
  /** Stores what is not stored yet, and ends the connection of the two databases. Close the opened one yourself. */
  close(): Promise<void>;
}

/** Options of `openedPouch`. */
export interface OpenedPouchOptions extends QuarantineOptions {
  /** Called when a change could not be sealed or opened, such as while the vault is locked. It is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * A local database that is sealed on the disk and can be queried: it is opened into a database in memory, and the two
 * are kept alike in both directions, revisions and conflicts included. Query and change `opened` with all of PouchDB's
 * methods; replicate `sealed` with servers, as it is: what they get is sealed.
 *
 * No handle that opens documents leaves this function, so that no replication can send them in the clear.
 *
 * @param sealed a local database that has sealed documents alone
 * @param opened an empty database in memory: `new PouchDB(name, { adapter: 'memory' })`
 * @returns once every document is opened
 * @throws TypeError if `sealed` is remote, or `opened` is not in memory
 * @throws errors of the whole call: locked, not granted …
 *
 * @example
 *   const sealed = new PouchDB('notes');
 *   const notes = new PouchDB('notes-opened', { adapter: 'memory' });
 *   const connection = await openedPouch(sealed, notes, sealedCollection(sealwright, 'notes'));
 *   const { docs } = await notes.find({ selector: { done: false } });
 *   sealed.sync('https://couch.example/notes', { live: true });
 */
export async function openedPouch(
  sealed: LocalPouch,
  opened: LocalPouch,
  collection: SealedCollection,
  options: OpenedPouchOptions = {},
): Promise<OpenedPouch> {
  checkCollection(collection);
  checkOptions(options, 'onQuarantine', 'onError');
  const [disk, memory] = [sealed, opened] as unknown as readonly [Database, Database];
  if (disk.type() === 'http') {
    throw new TypeError('sealed must be a local database: replicate it with the remote one');
  }
  if (memory.adapter !== 'memory' || memory.name === disk.name) {
    throw new TypeError("opened must be another database, in memory: { adapter: 'memory' }");
  }
  // A handle of its own on the same database, which opens what it reads.
  const handle = new disk.constructor(disk.name, { adapter: disk.adapter });
  const hooks = watchedHooks(documentHooks(collection, options), options);
  handle.transform(hooks);

  // PouchDB reports that a document is missing, and not why.
  const copied = async (copy: PromiseLike<unknown>): Promise<void> => {
    hooks.forget();
    try {
      await copy;
    } finally {
      hooks.rethrow();
    }
  };
  await copied(memory.replicate.from(handle));
  const sync = memory.sync(handle, { live: true, retry: true });
  sync.on('error', (error) => options.onError?.(error));
  const saved = (): Promise<void> => copied(memory.replicate.to(handle));
  return {
    saved,
    async close() {
      await saved();
      sync.cancel();
    },
  };
}

interface WatchedHooks extends TransformHooks {
  /** Forgets the last error. */
  forget(): void;
  /** @throws the last error */
  rethrow(): void;
}

function watchedHooks(hooks: TransformHooks, { onError }: OpenedPouchOptions): WatchedHooks {
  let failed: readonly unknown[] = [];
  /** PouchDB passes what one method opened through the hooks of another: `bulkGet` calls `get`. */
  const openedDocuments = new WeakSet<PouchDocument>();
  const watched = async (working: Promise<PouchDocument>): Promise<PouchDocument> => {
    try {
      return await working;
    } catch (error) {
      failed = [error];
      onError?.(error);
      throw error;
    }
  };
  return {
    incoming: (document) => watched(hooks.incoming(document)),
    async outgoing(document) {
      if (openedDocuments.has(document)) return document;
      const result = await watched(hooks.outgoing(document));
      openedDocuments.add(result);
      return result;
    },
    forget: () => void (failed = []),
    rethrow() {
      if (failed.length > 0) throw failed[0];
    },
  };
}
