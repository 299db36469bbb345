/*
 * sealwright/adapters over the real libraries, as an app would use them, on the browser's own IndexedDB. The test
 * calls these from outside, and gets plain data back.
 */
import * as Automerge from '@automerge/automerge';
import { Repo } from '@automerge/automerge-repo';
import type { AutomergeUrl } from '@automerge/automerge-repo';
import { IndexedDBStorageAdapter } from '@automerge/automerge-repo-storage-indexeddb';
import Dexie, { type EntityTable } from 'dexie';
import idbAdapter from 'pouchdb-adapter-idb';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDB from 'pouchdb-core';
import find from 'pouchdb-find';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';
import { createRxDatabase, wrapRxStorageInstance } from 'rxdb/plugins/core';
import type { RxCollection } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import transformPouch from 'transform-pouch';
import * as Y from 'yjs';
import {
  automergeDocument,
  automergeStorage,
  dexieSealedFields,
  openedPouch,
  pouchAttachments,
  rxSealedStorage,
  yjsDocument,
} from '../../../../src/client/adapters.ts';
import { connectSealwright, sealedCollection } from '../../../../src/client/library.ts';
import type { Sealwright } from '../../../../src/client/library.ts';
import { codeOfError } from '../../../support/outcomes.ts';

interface Person {
  id: string;
  email: string;
  city: string;
  notes: unknown;
}
interface Contact {
  id: string;
  city: string;
  notes: string;
}
interface List extends Record<string, unknown> {
  items: string[];
}
const Database = PouchDB.plugin(idbAdapter)
  .plugin(memoryAdapter)
  .plugin(mapReduce)
  .plugin(replication)
  .plugin(find)
  .plugin(transformPouch);

let sealwright: Sealwright;
let syncKey: string;

function people(): Dexie & { people: EntityTable<Person, 'id'> } {
  const db = new Dexie('people') as Dexie & { people: EntityTable<Person, 'id'> };
  db.version(1).stores({ people: 'id, email, city' });
  const tables = { people: { sealed: ['notes'], blind: ['email'] } };
  dexieSealedFields(db, sealwright, { tables });
  return db;
}

const adapters = {
  async connect(): Promise<void> {
    const purpose = 'Keep your documents private';
    const capabilities = ['seal', 'open', 'blindIndex'] as const;
    ({ sealwright } = await connectSealwright({ purpose, capabilities }));
  },

  async connectSync(): Promise<void> {
    ({ key: syncKey } = await connectSealwright({
      purpose: 'Keep your notes private',
      key: { kind: 'sync', label: 'Notes', collections: ['notes'] },
      capabilities: ['sync'],
    }));
  },

  // ------------------------------------------------------------------ shared documents
  async yjs(words: readonly string[]): Promise<{ text: string; quarantined: string[] }> {
    const doc = new Y.Doc();
    const note = yjsDocument(Y, sealwright, { document: 'note 7' });
    const updates: Uint8Array<ArrayBuffer>[] = [];
    const sender = note.listen(doc, (sealed) => updates.push(sealed));
    for (const word of words) doc.getText('text').insert(doc.getText('text').length, word);
    await sender.flush();
    const altered = updates[0]!.slice();
    altered[altered.length - 1]! ^= 1;
    const { stored, quarantined } = await note.compact({ updates: [altered, ...updates] });
    const other = new Y.Doc();
    await note.apply(other, stored);
    return {
      text: other.getText('text').toJSON(),
      quarantined: quarantined.map(({ code }) => code),
    };
  },

  async automerge(items: readonly string[]): Promise<readonly string[]> {
    const list = automergeDocument(Automerge, sealwright, { document: 'list 7' });
    const empty = Automerge.from<List>({ items: [] });
    const full = Automerge.change(empty, (draft) => void draft.items.push(...items));
    const sealed = await list.sealChanges(Automerge.getAllChanges(full));
    const { doc } = await list.apply(Automerge.init<List>(), { updates: [...sealed].reverse() });
    return [...doc.items];
  },

  /** @returns its address */
  async storeInRepo(items: readonly string[]): Promise<string> {
    const repo = new Repo({
      storage: automergeStorage(new IndexedDBStorageAdapter('lists'), sealwright),
    });
    const handle = repo.create<List>({ items: [] });
    handle.change((draft) => void draft.items.push(...items));
    await repo.flush();
    await repo.shutdown();
    return handle.url;
  },

  async readFromRepo(url: string): Promise<readonly string[]> {
    const repo = new Repo({
      storage: automergeStorage(new IndexedDBStorageAdapter('lists'), sealwright),
    });
    const { items } = (await repo.find<List>(url as AutomergeUrl)).doc();
    await repo.shutdown();
    return [...items];
  },

  // ------------------------------------------------------------------ fields
  async addPeople(count: number, notes: string): Promise<void> {
    const db = people();
    await db.people.bulkPut(
      Array.from({ length: count }, (_, i) => ({
        id: `p${i}`,
        email: `user${i}@example.org`,
        city: i % 2 ? 'London' : 'Paris',
        notes: { text: `${notes} ${i}`, when: new Date(i) },
      })),
    );
    db.close();
  },

  async findPeople(): Promise<unknown> {
    const db = people();
    try {
      const one = await db.people.get({ email: 'user3@example.org' });
      const { when, text } = one!.notes as { when: Date; text: string };
      const inLondon = await db.people.where('city').equals('London').count();
      const filtered = await db.people.filter((row) => row.email.startsWith('user1')).primaryKeys();
      return { id: one!.id, text, when: when.getTime(), inLondon, filtered };
    } finally {
      db.close();
    }
  },

  /** Reads, waits for the extension, and writes in one transaction of the browser's IndexedDB. */
  async changeInTransaction(notes: string, fails: boolean): Promise<string> {
    const db = people();
    try {
      await db.transaction('rw', db.people, async () => {
        const row = (await db.people.get('p0'))!;
        await db.people.put({ ...row, notes });
        await db.people.where('city').equals('London').modify({ notes });
        if (fails) throw new Error('not after all');
      });
      return 'committed';
    } catch (error) {
      // Dexie wraps what ends a transaction.
      return codeOfError((error as { inner?: unknown }).inner ?? error);
    } finally {
      db.close();
    }
  },

  async notesOf(id: string): Promise<unknown> {
    const db = people();
    const row = await db.people.get(id);
    db.close();
    return row?.notes;
  },

  async rxdb(notes: string): Promise<unknown> {
    const storage = rxSealedStorage(sealwright, {
      storage: getRxStorageDexie(),
      wrapRxStorageInstance,
    });
    const db = await createRxDatabase<{ contacts: RxCollection<Contact> }>({
      name: 'contacts',
      storage,
      multiInstance: false,
    });
    const schema = {
      version: 0,
      type: 'object',
      primaryKey: 'id',
      properties: {
        id: { type: 'string', maxLength: 40 },
        city: { type: 'string', maxLength: 40 },
        notes: { type: 'string' },
      },
      required: ['city'],
      indexes: ['city'],
      encrypted: ['notes'],
    } as const;
    await db.addCollections({ contacts: { schema } });
    const { contacts } = db;
    await contacts.insert({ id: 'c1', city: 'London', notes });
    const found = await contacts.find({ selector: { city: 'London' } }).exec();
    await found[0]!.incrementalPatch({ notes: `${notes}, changed` });
    const again = await contacts.findOne('c1').exec();
    const result = again!.toJSON();
    await db.close();
    return result;
  },

  // ------------------------------------------------------------------ PouchDB
  async attach(name: string, text: string): Promise<void> {
    const db = new Database('letters', { adapter: 'idb' });
    await pouchAttachments(db, sealwright).put(
      'letter',
      name,
      new Blob([text], { type: 'text/x' }),
    );
    await db.close();
  },

  async attached(name: string): Promise<unknown> {
    const db = new Database('letters', { adapter: 'idb' });
    const attachments = pouchAttachments(db, sealwright);
    const blob = (await attachments.get('letter', name))!;
    const [info] = await attachments.list('letter');
    await db.close();
    return { text: await blob.text(), type: blob.type, info };
  },

  async writeNotes(texts: readonly string[]): Promise<void> {
    const { opened, close } = await openNotes();
    await opened.bulkDocs(texts.map((text, i) => ({ _id: `n${i}`, text, done: i % 2 === 0 })));
    await close();
  },

  async findNotes(): Promise<unknown> {
    const { opened, close } = await openNotes();
    const { docs } = await opened.find({ selector: { done: true } });
    await close();
    return docs.map((doc) => doc['text']);
  },

  /** Everything that this origin has in IndexedDB, as Base64 for bytes and Blobs. */
  async disk(): Promise<string> {
    const seen: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const db = await requested(indexedDB.open(name!));
      for (const store of db.objectStoreNames) {
        const objects = db.transaction(store).objectStore(store);
        seen.push(name, await requested(objects.getAllKeys()), await requested(objects.getAll()));
      }
      db.close();
    }
    return JSON.stringify(await plain(seen));
  },
};

async function openNotes() {
  const sealed = new Database('notes', { adapter: 'idb' });
  const opened = new Database(`notes opened ${Math.random()}`, { adapter: 'memory' });
  const collection = sealedCollection(sealwright, 'notes', { key: syncKey });
  const connection = await openedPouch(sealed, opened, collection);
  const close = async (): Promise<void> => {
    await connection.close();
    await sealed.close();
  };
  return { opened, close };
}

function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

/** Bytes one by one as characters, so that words in them are found. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return plain(await value.arrayBuffer());
  if (value instanceof ArrayBuffer) return plain(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value);
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, one]) => [name, await plain(one)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** What the test calls. */
export type Adapters = typeof adapters;
Object.assign(globalThis, { adapters });
