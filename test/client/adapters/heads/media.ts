/* Real servers of sync services with the libraries that apps use, over collections with heads. */
import kintoModule from 'kinto';
import RemoteStorage from 'remotestoragejs';
import {
  collectionWithHeads,
  type CollectionWithHeads,
  type HeadStore,
} from '../../../../src/client/adapters/heads/collection-with-heads.ts';
import { kintoHeads } from '../../../../src/client/adapters/heads/kinto-heads.ts';
import { pouchHeads } from '../../../../src/client/adapters/heads/pouch-heads.ts';
import {
  remoteStorageHeads,
  type RemoteStorageServer,
} from '../../../../src/client/adapters/heads/remote-storage-heads.ts';
import { kintoTransformer } from '../../../../src/client/adapters/kinto.ts';
import { openedPouch } from '../../../../src/client/adapters/pouch-opened.ts';
import { pouchTransform } from '../../../../src/client/adapters/pouch.ts';
import { remoteStorageClient } from '../../../../src/client/adapters/remote-storage.ts';
import type { Sealwright } from '../../../../src/client/page-api.ts';
import { Database, startCouch } from '../../../servers/couch.ts';
import { KINTO_ACCOUNT, startKinto } from '../../../servers/kinto.ts';
import { startRemoteStorage } from '../../../servers/remote-storage.ts';

/** Node takes the package's CommonJS, whose default export is a member. */
const Kinto = (kintoModule as unknown as { readonly default: typeof kintoModule }).default;

/** An app on one device. */
export interface App {
  readonly notes: CollectionWithHeads;
  write(id: string, text: string): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** Both ways; what is in conflict is left as it is on the server. */
  sync(): Promise<unknown>;
  /** Ids in the app's own lists. */
  list(): Promise<string[]>;
}

/** What the owner of a server does with records, or with heads: payloads by their ids. */
export interface Owned {
  all(): Promise<Map<string, string>>;
  put(id: string, payload: string): Promise<unknown>;
  delete(id: string): Promise<unknown>;
}

/** A server with a place for each history. */
export interface Medium {
  app(sealwright: Sealwright, place: string): App;
  owned(place: string): { readonly records: Owned; readonly heads: Owned };
  close(): Promise<void>;
}

/** Over the store of an adapter, which reads what is there. */
function ownedBy(
  read: () => ReturnType<HeadStore['records']>,
  work: Pick<Owned, 'put' | 'delete'>,
): Owned {
  return {
    all: async () => new Map((await read()).map(({ id, payload }) => [id, payload])),
    ...work,
  };
}

let count = 0;

export async function kintoMedium(): Promise<Medium> {
  const server = await startKinto();
  const kinto = () =>
    new Kinto({
      remote: `http://127.0.0.1:${server.port}/v1`,
      headers: { Authorization: KINTO_ACCOUNT },
      bucket: 'default',
      adapterOptions: { dbName: `kinto ${count++}` },
    });
  const collectionsOf = (client: ReturnType<typeof kinto>, place: string) => {
    const bucket = client.api.bucket('default');
    return [bucket.collection(place), bucket.collection(`${place}-heads`)] as const;
  };
  return {
    app(sealwright, place) {
      const client = kinto();
      const heads = kintoHeads(...collectionsOf(client, place));
      const notes = collectionWithHeads(sealwright, 'notes', heads);
      const remoteTransformers = [kintoTransformer(notes, { newest: new Map() })];
      const local = client.collection(place, { remoteTransformers });
      return {
        notes,
        write: (id, text) => local.upsert({ id, text }),
        remove: (id) => local.deleteAny(id),
        sync: () => local.sync({ strategy: Kinto.syncStrategy.SERVER_WINS }),
        list: async () =>
          ((await local.list()).data as { readonly id: string }[]).map(({ id }) => id),
      };
    },
    owned(place) {
      const both = collectionsOf(kinto(), place);
      const [records, heads] = both.map((collection) => {
        const store = kintoHeads(collection, collection);
        return ownedBy(() => store.records(), {
          put: (id, payload) => store.put({ id, payload }),
          delete: (id) => collection.deleteRecord(id),
        });
      });
      return { records: records!, heads: heads! };
    },
    close: () => server.close(),
  };
}

type Db = InstanceType<typeof Database>;

/** Every second device has a local database that is sealed, and opened in memory. */
export async function couchMedium(): Promise<Medium> {
  const server = await startCouch();
  const remote = (name: string): Db =>
    new Database(`http://127.0.0.1:${server.port}/couch/${name}`);
  return {
    app(sealwright, place) {
      const [replicated, records] = [remote(place), remote(place)];
      const isOpened = count % 2 === 0;
      const local = new Database(`${place} ${count++}`, { adapter: 'memory' });
      const heads = pouchHeads({
        remote: replicated as never,
        records: records as never,
        heads: remote(`${place}-heads`) as never,
      });
      const notes = collectionWithHeads(sealwright, 'notes', heads);
      const sealed = new Database(`${local.name} sealed`, { adapter: 'memory' });
      const connection = isOpened ? openedPouch(sealed, local, notes) : undefined;
      if (!isOpened) pouchTransform(replicated, notes);
      const current = (id: string) => local.get(id).catch(() => undefined);
      return {
        notes,
        async write(_id, text) {
          const _rev = (await current(_id))?.['_rev'];
          return local.put({ _id, ...(_rev !== undefined && { _rev }), text });
        },
        async remove(id) {
          const document = await current(id);
          return document && local.remove(document);
        },
        async sync() {
          if (!connection) return local.sync(replicated);
          await (await connection).saved();
          return sealed.sync(replicated);
        },
        list: async () =>
          (await local.allDocs({ include_docs: true })).rows.map(({ doc }) => doc._id),
      };
    },
    owned(place) {
      const [records, heads] = [place, `${place}-heads`].map((name) => {
        const database = remote(name);
        const all = { remote: database, records: database, heads: database } as never;
        const store = pouchHeads(all);
        return ownedBy(() => store.heads(), {
          put: (id, payload) => replaced(database, id, payload),
          async delete(id) {
            await database.remove(await database.get(id));
          },
        });
      });
      return { records: records!, heads: heads! };
    },
    close: () => server.close(),
  };
}

async function replaced(database: Db, _id: string, payload: string): Promise<void> {
  const before = await database.get(_id).catch(() => undefined);
  const _rev = before?.['_rev'];
  await database.put({ _id, ...(_rev !== undefined && { _rev }), payload });
}

/** As much of it as remotestorage.js uses, which Node does not have. */
class TextReader {
  onloadend: ((event: { readonly target: { readonly result: string } }) => void) | undefined;

  readAsText(blob: Blob): void {
    void blob.text().then((result) => this.onloadend?.({ target: { result } }));
  }
}

export async function remoteStorageMedium(): Promise<Medium> {
  const server = await startRemoteStorage('files');
  Object.assign(globalThis, { FileReader: TextReader });
  const storage = (): RemoteStorage => {
    const made = new RemoteStorage({ cache: false, logging: false });
    made.access.claim('files', 'rw');
    made.remote.configure({
      userAddress: 'ada@localhost',
      href: `http://127.0.0.1:${server.port}/remote/storage/ada`,
      storageApi: 'draft-dejong-remotestorage-01',
      token: server.token,
    });
    return made;
  };
  const folders = (place: string) => ({
    records: `/files/${place}/`,
    heads: `/files/${place}-heads/`,
  });
  return {
    app(sealwright, place) {
      const made = storage();
      const heads = remoteStorageHeads(made.remote as never, folders(place));
      const notes = collectionWithHeads(sealwright, 'notes', heads);
      const client = remoteStorageClient(made.scope(folders(place).records), notes);
      return {
        notes,
        write: (id, text) => client.storeObject(id, { text }),
        remove: (id) => client.remove(id),
        sync: () => Promise.resolve(),
        list: async () => Object.keys(await client.getAll('')),
      };
    },
    owned(place) {
      const remote = storage().remote as unknown as RemoteStorageServer & {
        delete(path: string, options: object): Promise<unknown>;
      };
      const { records, heads } = folders(place);
      const of = (folder: string): Owned => {
        const store = remoteStorageHeads(remote, { records: folder, heads: '/none/' });
        return ownedBy(() => store.records(), {
          put: (id, payload) =>
            remote.put(folder + id, payload, 'application/vnd.sealwright.record', {}),
          delete: (id) => remote.delete(folder + id, {}),
        });
      };
      return { records: of(records), heads: of(heads) };
    },
    close: () => server.close(),
  };
}
