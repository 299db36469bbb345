/*
 * The client libraries of sync services over Sealwright's adapters, as an app would use them. The
 * test calls these from outside, and gets plain data back.
 */
import Kinto from 'kinto';
import httpAdapter from 'pouchdb-adapter-http';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDB from 'pouchdb-core';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';
import RemoteStorage from 'remotestoragejs';
import transformPouch from 'transform-pouch';
import {
  connectSealwright,
  firefoxSyncCodec,
  indexedDbSealedStore,
  kintoTransformer,
  openedResponse,
  pouchTransform,
  quarantineOf,
  remoteStorageClient,
  sealedBody,
  sealedCollection,
} from '../../../../src/client/library.ts';
import { collectionWithHeads, kintoHeads } from '../../../../src/client/adapters.ts';
import type { Bso, KintoRecord, Sealwright } from '../../../../src/client/library.ts';

const COLLECTIONS = ['tasks', 'lists', 'letters', 'files'];
const Database = PouchDB.plugin(httpAdapter)
  .plugin(memoryAdapter)
  .plugin(mapReduce)
  .plugin(replication)
  .plugin(transformPouch);

let sealwright: Sealwright;
let key: string;
const collection = (name: string) => sealedCollection(sealwright, name, { key });
const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** Sorted, so that two devices can be compared. */
const byId = <T extends object>(rows: readonly T[], id: keyof T): T[] =>
  [...rows].sort((a, b) => (String(a[id]) < String(b[id]) ? -1 : 1));

const kinto = lazily(() => {
  const headers = { Authorization: `Basic ${btoa('ada:lovelace1')}` };
  return new Kinto({ remote: `${location.origin}/v1`, headers, bucket: 'default' });
});

const tasks = lazily(() => {
  const remoteTransformers = [kintoTransformer(collection('tasks'))];
  return kinto().collection('tasks', { remoteTransformers });
});

/** With heads. */
const lists = lazily(() => {
  const bucket = kinto().api.bucket('default');
  const heads = kintoHeads(bucket.collection('lists'), bucket.collection('lists-heads'));
  const sealed = collectionWithHeads(sealwright, 'lists', heads, { key });
  const remoteTransformers = [kintoTransformer(sealed)];
  return { sealed, local: kinto().collection('lists', { remoteTransformers }) };
});

const letters = lazily(() => {
  const local = new Database('letters', { adapter: 'memory' });
  const remote = new Database(`${location.origin}/couch/letters`);
  pouchTransform(remote, collection('letters'));
  return { local, remote };
});

const files = lazily(() => {
  const storage = new RemoteStorage({ cache: false, logging: false });
  storage.access.claim('files', 'rw');
  return { storage, client: remoteStorageClient(storage.scope('/files/'), collection('files')) };
});

const clients = {
  async connect(): Promise<readonly string[]> {
    const request = {
      purpose: 'Keep your lists private',
      key: { kind: 'sync', label: 'Lists', collections: COLLECTIONS },
      capabilities: ['sync'],
    } as const;
    const connection = await connectSealwright(request, { features: ['sync'] });
    ({ sealwright, key } = connection);
    return connection.grants.flatMap(({ capabilities }) => capabilities);
  },

  // ------------------------------------------------------------------ kinto.js

  async addTask(id: string, title: string) {
    await tasks().create({ id, title }, { useRecordId: true });
  },
  async renameTask(id: string, title: string) {
    await tasks().update({ id, title });
  },
  async syncTasks() {
    const result = await tasks().sync({ strategy: Kinto.syncStrategy.SERVER_WINS });
    const { data } = (await tasks().list()) as { data: KintoRecord[] };
    const rows = data.map((record) => ({
      id: record.id,
      title: record['title'] ?? null,
      trouble: quarantineOf(record)?.code ?? null,
    }));
    return { ok: result.ok, rows: byId(rows, 'id') };
  },

  async changeList(id: string, title: string | null) {
    const { local } = lists();
    await (title === null ? local.delete(id) : local.upsert({ id, title }));
  },
  /** @returns what the device learns after a sync, and the ids in the app's list */
  async syncLists() {
    const { sealed, local } = lists();
    await local.sync({ strategy: Kinto.syncStrategy.SERVER_WINS });
    const { ok, missing, missingCount, rolledBack } = await sealed.verify();
    const { data } = (await local.list()) as { data: KintoRecord[] };
    return { ok, missing, missingCount, rolledBack, ids: data.map(({ id }) => id).sort() };
  },
  /** All tabs' and devices' answers at once, as an app that syncs often has them. */
  async verifyLists(times: number) {
    const { sealed } = lists();
    const reports = await Promise.all(Array.from({ length: times }, () => sealed.verify()));
    return reports.map(({ ok }) => ok);
  },

  // ------------------------------------------------------------------ PouchDB

  async addLetter(_id: string, text: string) {
    await letters().local.put({ _id, text });
  },
  async syncLetters() {
    const { local, remote } = letters();
    await local.sync(remote);
    const { rows } = await local.allDocs({ include_docs: true });
    return rows.map(({ doc }) => ({
      id: doc._id,
      text: doc['text'] ?? null,
      trouble: quarantineOf(doc)?.code ?? null,
    }));
  },
  /** What a developer would do by mistake. @returns the code and the words of the refusal */
  transformLocalLetters(): readonly string[] {
    try {
      pouchTransform(letters().local, collection('letters'));
      return [];
    } catch (error) {
      const { code, message } = error as Error & { code: string };
      return [code, message];
    }
  },

  // ------------------------------------------------------------------ remotestorage.js

  async openFiles(token: string) {
    const { storage } = files();
    const href = `${location.origin}/remote/storage/ada`;
    const api = 'draft-dejong-remotestorage-01';
    const isConnected = new Promise((resolve) => storage.on('connected', resolve));
    storage.remote.configure({ userAddress: 'ada@localhost', href, storageApi: api, token });
    await isConnected;
  },
  async storeFile(path: string, text: string) {
    await files().client.storeObject(path, { text });
  },
  async readFiles() {
    return files().client.getAll('');
  },

  // ------------------------------------------------------------------ the device itself

  async connectDrafts(): Promise<void> {
    const capabilities = ['seal', 'open'] as const;
    ({ sealwright } = await connectSealwright({ purpose: 'Keep drafts here', capabilities }));
  },
  /** @returns the draft as it comes back, and the row as it lies on the disk */
  async keepDraft(text: string) {
    const drafts = await indexedDbSealedStore(sealwright, { name: 'drafts' });
    await drafts.put('letter', { text });
    const draft = await drafts.get('letter');
    const rows = await new Promise<Uint8Array[]>((resolve) => {
      const opening = indexedDB.open('drafts');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('sealed').objectStore('sealed').getAll();
        reading.onsuccess = () => resolve(reading.result as Uint8Array[]);
      };
    });
    drafts.close();
    return { draft, row: String.fromCharCode(...rows[0]!) };
  },
  async sealThrough(text: string) {
    const sealed = sealedBody(sealwright, new Blob([text]));
    return openedResponse(sealwright, new Response(sealed)).text();
  },

  // ------------------------------------------------------------------ a Weave client of the page's own

  async connectWeave(): Promise<void> {
    const request = {
      purpose: 'Show your bookmarks',
      key: { kind: 'sync', collections: ['bookmarks'] },
      capabilities: ['sync'],
    } as const;
    ({ sealwright, key } = await connectSealwright(request));
    const codec = firefoxSyncCodec(sealwright, { key });
    await codec.decryptCollectionBSO('crypto', await weave<Bso>('GET', 'crypto/keys'));
  },
  async readBookmarks() {
    const codec = firefoxSyncCodec(sealwright, { key });
    const bsos = await weave<Bso[]>('GET', 'bookmarks?full=1');
    const opened = bsos.map((bso) => codec.decryptCollectionBSO('bookmarks', bso));
    const payloads = (await Promise.all(opened)).map(({ payload }) => payload as Fields);
    return payloads.map(({ id, ...one }) => ({
      ...one,
      id,
      trouble: quarantineOf(one)?.code ?? null,
    }));
  },
  async writeBookmark(bookmark: { id: string; title: string }): Promise<void> {
    const codec = firefoxSyncCodec(sealwright, { key });
    const bso = await codec.encryptCollectionBSO('bookmarks', bookmark);
    await weave('PUT', `bookmarks/${bso.id}`, bso);
  },
};

type Fields = Readonly<Record<string, unknown>>;

/** The storage calls of Sync 1.1, through the front: the server knows no CORS. */
async function weave<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Basic ${btoa('ada:lovelace1')}` };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`/1.1/ada/storage/${path}`, init);
  return (await answer.json()) as T;
}

export type Clients = typeof clients;
Object.assign(globalThis, { clients });
