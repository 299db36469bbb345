import 'fake-indexeddb/auto';
import * as Automerge from '@automerge/automerge';
import { expect } from 'chai';
import Dexie from 'dexie';
import { readFileSync } from 'node:fs';
import { createRxDatabase, wrapRxStorageInstance } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import sinon from 'sinon';
import * as Y from 'yjs';
import { createTestSealwright, type TestSealwright } from '../../../extension/testing/testing.ts';
import {
  sealedCollection,
  type SealedCollection,
} from '../../../src/client/adapters/collection.ts';
import { automergeStorage } from '../../../src/client/adapters/crdt/automerge-storage.ts';
import type { AutomergeStorage } from '../../../src/client/adapters/crdt/automerge-storage.ts';
import { automergeDocument } from '../../../src/client/adapters/crdt/automerge.ts';
import type { StoredDocument } from '../../../src/client/adapters/crdt/updates.ts';
import { yjsDocument } from '../../../src/client/adapters/crdt/yjs.ts';
import { dexieSealedFields } from '../../../src/client/adapters/fields/dexie.ts';
import { rxSealedStorage } from '../../../src/client/adapters/fields/rxdb.ts';
import { firefoxSyncCodec, type Bso } from '../../../src/client/adapters/firefox-sync.ts';
import {
  collectionWithHeads,
  type CollectionWithHeads,
  type StoredRecord,
} from '../../../src/client/adapters/heads/collection-with-heads.ts';
import { indexedDbSealedStore } from '../../../src/client/adapters/indexed-db.ts';
import { kintoTransformer, type KintoRecord } from '../../../src/client/adapters/kinto.ts';
import { pouchAttachments } from '../../../src/client/adapters/pouch-attachments.ts';
import { openedPouch } from '../../../src/client/adapters/pouch-opened.ts';
import { documentHooks, type PouchDocument } from '../../../src/client/adapters/pouch.ts';
import { quarantineOf } from '../../../src/client/adapters/quarantine.ts';
import { remoteStorageClient } from '../../../src/client/adapters/remote-storage.ts';
import { Database } from '../../servers/couch.ts';
import { codeOf } from '../../support/outcomes.ts';
import { FakeBaseClient } from '../fake-base-client.ts';
import { MemoryIndexedDb } from '../memory-indexed-db.ts';

/*
 * What a server, or who has the disk, can do to what an adapter stores: the table of docs/adapters.md, each cell tried
 * over the extension in memory.
 */

/** Sealed texts by name, and how they are stored. */
interface TextStore<V = unknown> {
  write(name: string, text: string): Promise<unknown>;
  /** What the app gets: the text, nothing, or the code of the error or of the quarantine. */
  read(name: string): Promise<unknown>;
  readonly stored: {
    get(name: string): V | undefined | Promise<V | undefined>;
    /** Puts it in place of what is there now, as a new version where the service counts them. */
    set(name: string, value: V): unknown;
    delete(name: string): unknown;
  };
  /** A stored value whose sealed content was taken away. */
  emptied(value: V): V;
  /** The content of one stored value in the place of another. */
  moved(from: V, to: V): V;
}

/** The collection that a store of records uses, plain or with heads. @param records as the server has them */
type Collect = (records: () => Promise<StoredRecord[]>) => SealedCollection;
type Make<V = never> = (
  test: TestSealwright,
  collect: Collect,
) => TextStore<V> | Promise<TextStore<V>>;
/** A store of any values: what one gives is what it takes. */
const storeOf = <V>(make: Make<V>): Make => make as Make;

let count = 0;
const nextName = (): string => `protection${++count}`;
/** Members that are no content. */
const PLAIN = new Set(['id', '_id', '_rev', 'last_modified']);
const members = (value: object, passes: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => passes(name)));
const withoutContent = <V extends object>(value: V): V =>
  members(value, (name) => PLAIN.has(name)) as V;
const withContentOf = <V extends object>(from: V, to: V): V => ({
  ...members(from, (name) => !PLAIN.has(name)),
  ...withoutContent(to),
});
const textIn = (record: object): unknown =>
  quarantineOf(record)?.code ?? (record as { readonly text?: unknown }).text;

const STORES: Readonly<Record<string, Make>> = {
  kintoTransformer: storeOf<KintoRecord>((_test, collect) => {
    const server = new Map<string, KintoRecord>();
    const collection = collect(() => Promise.resolve([...server.values()].map(storedRecord)));
    const transformer = kintoTransformer(collection, { newest: new Map() });
    let time = 1_000;
    const set = (id: string, record: KintoRecord) =>
      server.set(id, { ...record, last_modified: ++time });
    return {
      async write(id, text) {
        const base = members(server.get(id) ?? {}, (name) => name === 'last_modified');
        set(id, await transformer.encode({ ...base, id, text }));
      },
      read: async (id) => server.has(id) && textIn(await transformer.decode(server.get(id)!)),
      stored: { get: (id) => server.get(id), set, delete: (id) => server.delete(id) },
      emptied: withoutContent,
      moved: withContentOf,
    };
  }),

  pouchTransform: storeOf<PouchDocument>((_test, collect) => {
    const server = new Map<string, PouchDocument>();
    const collection = collect(() => Promise.resolve([...server.values()].map(storedRecord)));
    const hooks = documentHooks(collection, {});
    const next = (id: string) => 1 + Number(/^\d+/.exec(server.get(id)?._rev ?? '0')![0]);
    const set = (id: string, document: PouchDocument) =>
      server.set(id, { ...document, _rev: `${next(id)}-a` });
    return {
      async write(_id, text) {
        const start = next(_id);
        const document = { _id, _rev: `${start}-a`, _revisions: { start, ids: ['a'] }, text };
        const { _revisions, ...sealed } = await hooks.incoming(document);
        server.set(_id, sealed);
      },
      read: async (id) => server.has(id) && textIn(await hooks.outgoing(server.get(id)!)),
      stored: { get: (id) => server.get(id), set, delete: (id) => server.delete(id) },
      emptied: withoutContent,
      moved: withContentOf,
    };
  }),

  remoteStorageClient: storeOf<readonly [string, string]>((_test, collect) => {
    const base = new FakeBaseClient();
    const collection = collect(() =>
      Promise.resolve([...base.files].map(([id, [, payload]]) => ({ id, payload }))),
    );
    const notes = remoteStorageClient(base, collection, { newest: new Map() });
    return {
      write: (path, text) => notes.storeObject(path, { text }),
      async read(path) {
        const all = (await notes.getAll(''))[path];
        const one = await codeOf(notes.getObject(path));
        if (all && quarantineOf(all)) expect(quarantineOf(all)!.code).to.equal(one);
        return all && textIn(all);
      },
      stored: base.files,
      emptied: ([type]) => [type, ''],
      moved: (from) => from,
    };
  }),

  firefoxSyncCodec: storeOf<Bso>(({ sealwright }) => {
    const codec = firefoxSyncCodec(sealwright);
    const server = new Map<string, Bso>();
    return {
      write: async (id, text) =>
        server.set(id, await codec.encryptCollectionBSO('notes', { id, text })),
      async read(id) {
        const bso = server.get(id);
        return bso && textIn((await codec.decryptCollectionBSO('notes', bso)).payload);
      },
      stored: server,
      emptied: withoutContent,
      moved: withContentOf,
    };
  }),

  indexedDbSealedStore: storeOf<Uint8Array>(async ({ sealwright }) => {
    const disk = new MemoryIndexedDb();
    const store = await indexedDbSealedStore(sealwright, { name: 'x', indexedDB: disk.factory });
    return {
      write: (name, text) => store.put(name, text),
      read: (name) => store.get(name),
      stored: disk.rows('x') as unknown as Map<string, Uint8Array>,
      emptied: () => new Uint8Array(0),
      moved: (from) => from,
    };
  }),

  yjsDocument: storeOf<StoredDocument>(({ sealwright }) => {
    const server = new Map<string, StoredDocument>();
    return {
      async write(document, text) {
        const doc = new Y.Doc();
        const update = new Promise<Uint8Array>((done) => doc.on('update', done));
        doc.getText('text').insert(0, text);
        const sealed = await yjsDocument(Y, sealwright, { document }).sealUpdate(await update);
        server.set(document, { updates: [sealed] });
      },
      async read(document) {
        const doc = new Y.Doc();
        const note = yjsDocument(Y, sealwright, { document });
        const { quarantined } = await note.apply(doc, server.get(document) ?? {});
        return quarantined[0]?.code ?? (doc.getText('text').toJSON() || undefined);
      },
      stored: server,
      emptied: () => ({ updates: [new Uint8Array(0)] }),
      moved: (from) => from,
    };
  }),

  automergeDocument: storeOf<StoredDocument>(({ sealwright }) => {
    const server = new Map<string, StoredDocument>();
    const of = (document: string) => automergeDocument(Automerge, sealwright, { document });
    return {
      async write(document, text) {
        const doc = Automerge.from({ text });
        const changes = Automerge.getChanges(Automerge.init<{ text: string }>(), doc);
        server.set(document, { updates: await of(document).sealChanges(changes) });
      },
      async read(document) {
        const stored = server.get(document) ?? {};
        const { doc, quarantined } = await of(document).apply(
          Automerge.init<{ text?: string }>(),
          stored,
        );
        return quarantined[0]?.code ?? doc.text;
      },
      stored: server,
      emptied: () => ({ updates: [new Uint8Array(0)] }),
      moved: (from) => from,
    };
  }),

  automergeStorage: storeOf<Uint8Array>(({ sealwright }) => {
    const disk = new Map<string, Uint8Array>();
    const inner = {
      load: ([name]: string[]) => Promise.resolve(disk.get(name!)),
      save: ([name]: string[], data: Uint8Array) => Promise.resolve(disk.set(name!, data.slice())),
    } as unknown as AutomergeStorage;
    const storage = automergeStorage(inner, sealwright);
    return {
      write: (name, text) => storage.save([name], Buffer.from(text)),
      async read(name) {
        const found = await storage.load([name]);
        return found && Buffer.from(found).toString();
      },
      stored: disk,
      emptied: () => new Uint8Array(0),
      moved: (from) => from,
    };
  }),

  dexieSealedFields: storeOf<object>(async ({ sealwright }) => {
    const db = new Dexie(nextName());
    db.version(1).stores({ notes: 'id' });
    dexieSealedFields(db, sealwright, { tables: { notes: { sealed: ['text'] } } });
    await db.open();
    return { ...(await rowsOf(db.name, 'notes')), ...tableOf(db.table('notes')) };
  }),

  rxSealedStorage: storeOf<object>(async ({ sealwright }) => {
    sinon.stub(console, 'warn'); // an advertisement for other storages
    const storage = rxSealedStorage(sealwright, {
      storage: getRxStorageDexie(),
      wrapRxStorageInstance,
    });
    const name = nextName();
    const db = await createRxDatabase({ name, storage: storage as never, multiInstance: false });
    const properties = { id: { type: 'string', maxLength: 20 }, text: { type: 'string' } };
    const schema = { version: 0, primaryKey: 'id', type: 'object', properties };
    const encrypted = ['text'];
    const { notes } = await db.addCollections({
      notes: { schema: { ...schema, encrypted } as never },
    });
    await notes.insert({ id: 'first' });
    sinon.restore();
    const file = (await Dexie.getDatabaseNames()).find(
      (one) => one.includes(name) && one.includes('notes'),
    )!;
    return {
      ...(await rowsOf(file, 'docs')),
      write: (id, text) => notes.upsert({ id, text }),
      async read(id) {
        // Of the storage: RxDB keeps documents in memory that it has read.
        const [found] = (await notes.storageInstance.findDocumentsById([id], false)) as object[];
        return found && textIn(found);
      },
    };
  }),

  pouchAttachments: storeOf<PouchDocument>(({ sealwright }) => {
    const db = new Database(nextName(), { adapter: 'memory' });
    const toData = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());
    const attachments = pouchAttachments(db, sealwright, { toData });
    return {
      write: (id, text) => attachments.put(id, 'a', new Blob([text])),
      read: async (id) => (await attachments.get(id, 'a'))?.text(),
      stored: {
        get: (id) => db.get(id, { attachments: true }),
        async set(_id, value) {
          // What the document says of its attachments is as it was: it is sealed on a server.
          const now = await db.get(_id);
          const [name] = Object.keys(now['_attachments'] as object);
          const [file] = Object.values(value._attachments ?? {}) as unknown as { data: string }[];
          const content_type = 'application/vnd.sealwright.sealed';
          const _attachments = { [name!]: { content_type, data: file?.data ?? '' } };
          await db.put({ ...now, _attachments });
        },
        async delete(id) {
          const { _attachments, ...others } = await db.get(id);
          await db.put(others);
        },
      },
      emptied: ({ _attachments, ...others }) => others,
      moved: (from) => from,
    };
  }),

  openedPouch: storeOf<PouchDocument>((_test, collect) => {
    const sealed = new Database(nextName(), { adapter: 'memory' });
    const collection = collect(async () =>
      (await sealed.allDocs({ include_docs: true })).rows.map(({ doc }) => storedRecord(doc)),
    );
    const opened = async <T>(work: (db: typeof sealed) => Promise<T>): Promise<T> => {
      const memory = new Database(nextName(), { adapter: 'memory' });
      const connection = await openedPouch(sealed, memory, collection);
      try {
        return await work(memory);
      } finally {
        await connection.close();
      }
    };
    const current = (id: string): Promise<PouchDocument | undefined> =>
      sealed.get(id).catch(() => undefined);
    return {
      write: (_id, text) =>
        opened(async (db) => {
          const { _rev }: PouchDocument = await db.get(_id).catch(() => ({}));
          await db.put({ _id, ...(_rev !== undefined && { _rev }), text });
        }),
      read: (id) =>
        opened(async (db) => {
          const found: object | undefined = await db.get(id).catch(() => undefined);
          return found && textIn(found);
        }),
      stored: {
        get: current,
        set: async (_id, value) => sealed.put({ ...value, _id, _rev: (await current(_id))!._rev }),
        delete: async (id) => sealed.remove((await current(id)) as never),
      },
      emptied: withoutContent,
      moved: withContentOf,
    };
  }),
};

/** A table of Dexie as a store of texts. */
function tableOf(table: Dexie.Table): Pick<TextStore<object>, 'write' | 'read'> {
  return {
    write: (id, text) => table.put({ id, text }),
    async read(id) {
      const found = (await table.get(id)) as object | undefined;
      return found && textIn(found);
    },
  };
}

/** The rows of a table on the disk. */
async function rowsOf(
  database: string,
  table: string,
): Promise<Pick<TextStore<object>, 'stored' | 'emptied' | 'moved'>> {
  const raw = await new Dexie(database).open();
  const SEALED = 'sealwrightSealed';
  type Row = Record<string, unknown>;
  return {
    stored: {
      get: (id) => raw.table<object, string>(table).get(id),
      set: (_id, row) => raw.table(table).put(row),
      delete: (id) => raw.table(table).delete(id),
    },
    emptied: (row) => members(row, (name) => name !== SEALED),
    moved: (from, to) => ({ ...to, [SEALED]: (from as Row)[SEALED] }),
  };
}

function storedRecord({ id, _id, payload }: Readonly<Record<string, unknown>>): StoredRecord {
  return { id: (id ?? _id) as string, payload: typeof payload === 'string' ? payload : '' };
}

/** Heads beside the records, in memory. */
function withHeads({ sealwright }: TestSealwright, records: () => Promise<StoredRecord[]>) {
  const heads = new Map<string, StoredRecord>();
  return collectionWithHeads(sealwright, 'notes', {
    records,
    record: async (id) => (await records()).find((one) => one.id === id),
    heads: () => Promise.resolve([...heads.values()]),
    put: (item) => Promise.resolve(heads.set(item.id, item)),
    generation: async (given = 0, stored) => Math.max(given, 1 + (await stored())),
  });
}

/** What is done to the record `a`, whose text was `one` and is `two`. */
const ATTACKS = {
  'another place': async (it: TextStore) =>
    it.stored.set('a', it.moved(await it.stored.get('b'), await it.stored.get('a'))),
  emptied: async (it: TextStore) => it.stored.set('a', it.emptied(await it.stored.get('a'))),
  'older version': ({ stored }: TextStore, older: unknown) => stored.set('a', older),
  'left out': ({ stored }: TextStore) => stored.delete('a'),
} as const;

/** Codes, and the status of PouchDB's errors, are no texts of the test. */
const TEXTS = new Set<unknown>(['one', 'two', 'other', '', undefined, false]);

/** Whether the app learns of it. @param hasHeads whether its collection has heads, and is verified */
async function isSeen(
  makeStore: Make,
  attack: keyof typeof ATTACKS,
  hasHeads: boolean,
): Promise<boolean> {
  const test = await createTestSealwright();
  const purpose = 'Keep notes private';
  await test.sealwright.connect({ purpose, capabilities: ['seal', 'open'] });
  await test.sealwright.connect({
    purpose,
    key: { kind: 'sync', label: 'Notes', collections: ['notes'] },
    capabilities: ['sync'],
  });
  const collections: CollectionWithHeads[] = [];
  const store = await makeStore(test, (records) => {
    if (!hasHeads) return sealedCollection(test.sealwright, 'notes');
    collections.push(withHeads(test, records));
    return collections[0]!;
  });
  const it = store as unknown as TextStore;
  await it.write('b', 'other');
  await it.write('a', 'one');
  const older = await it.stored.get('a');
  await it.write('a', 'two');
  expect(await it.read('a'), 'before').to.equal('two');
  for (const one of collections) expect(await one.verify()).to.include({ ok: true });
  await ATTACKS[attack](it, older);
  for (const one of collections) if (!(await one.verify()).ok) return true;
  const found = await it.read('a').catch((error: unknown) => error);
  expect(found, 'the record as it was').to.not.equal('two');
  return !TEXTS.has(found);
}

/** The table under the heading, as adapter → attack → cell. */
function tableInDocs(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [, section = ''] = readFileSync('docs/adapters.md', 'utf8').split(
    '## What a server can do',
  );
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [head, , ...lines] = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((it) => it.trim()),
  );
  return Object.fromEntries(
    lines.map(([name, ...cells]) => [
      name!.replaceAll('`', ''),
      Object.fromEntries(cells.map((cell, i) => [head![i + 1]!, cell])),
    ]),
  );
}

describe('What is seen of a change to stored data', function () {
  this.timeout(60_000);
  afterEach(() => sinon.restore());
  const table = tableInDocs();

  it('is in the table of the docs for every adapter', () => {
    expect(Object.keys(table)).to.have.members(Object.keys(STORES));
    for (const row of Object.values(table)) {
      expect(Object.keys(row)).to.deep.equal(Object.keys(ATTACKS));
    }
  });

  for (const [name, make] of Object.entries(STORES)) {
    for (const attack of Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]) {
      it(`${name}: ${attack}`, async () => {
        const cell = table[name]![attack]!;
        expect(cell).to.match(/^(yes|no)\b/);
        const hasHeads = cell.includes('with heads');
        expect(await isSeen(make, attack, hasHeads)).to.equal(cell.startsWith('yes'));
        if (hasHeads) expect(await isSeen(make, attack, false), 'without').to.equal(false);
      });
    }
  }
});
