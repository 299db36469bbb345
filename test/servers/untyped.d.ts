/* As much as the tests use of packages that bring no types. */
declare module 'armadietto' {
  namespace Armadietto {
    interface FileTree {
      createUser(user: { username: string; email: string; password: string }): Promise<void>;
      authorize(
        clientId: string,
        username: string,
        permissions: Record<string, readonly string[]>,
      ): Promise<string>;
    }
  }
  const Armadietto: {
    readonly FileTree: new (options: { path: string }) => Armadietto.FileTree;
  };
  export default Armadietto;
}

declare module 'express' {
  import type { RequestListener, Server } from 'node:http';

  interface Application extends RequestListener {
    use(path: string, handler: RequestListener): void;
    listen(port: number, host: string): Server;
  }
  export default function express(): Application;
}

declare module 'express-pouchdb' {
  import type { RequestListener } from 'node:http';

  export default function expressPouchdb(database: unknown, options: object): RequestListener;
}

/* PouchDB and its plugins, as far as the tests go with them. */
declare module 'pouchdb-core' {
  interface Document {
    readonly _id: string;
    readonly [field: string]: unknown;
  }
  interface Row {
    readonly doc: Document;
  }
  export default class PouchDB {
    constructor(name: string, options?: { adapter: string });
    static plugin(plugin: unknown): typeof PouchDB;
    static defaults(options: { adapter: string; prefix: string }): typeof PouchDB;
    put(document: { _id: string; [field: string]: unknown }): Promise<unknown>;
    allDocs(options: { include_docs: true }): Promise<{ readonly rows: readonly Row[] }>;
    sync(remote: PouchDB): Promise<unknown>;
    get(id: string, options?: object): Promise<Document>;
    remove(document: Document): Promise<unknown>;
    bulkDocs(documents: readonly object[]): Promise<unknown>;
    getAttachment(id: string, name: string): Promise<unknown>;
    putAttachment(id: string, name: string, ...rest: readonly unknown[]): Promise<unknown>;
    close(): Promise<void>;
    readonly name: string;
    readonly replicate: {
      from(source: PouchDB, options?: object): Promise<unknown>;
      to(target: PouchDB, options?: object): Promise<unknown>;
    };
    /** Of the plugin pouchdb-find. */
    find(query: object): Promise<{ readonly docs: readonly Document[] }>;
    /** Of the plugin transform-pouch. */
    transform(hooks: object): void;
    type(): string;
  }
}
declare module 'pouchdb-adapter-http';
declare module 'pouchdb-adapter-idb';
declare module 'pouchdb-adapter-memory';
declare module 'pouchdb-find';
declare module 'pouchdb-mapreduce';
declare module 'pouchdb-replication';
declare module 'transform-pouch';

declare module 'remotestoragejs' {
  export default class RemoteStorage {
    constructor(options: { cache: boolean; logging: boolean });
    readonly access: { claim(scope: string, mode: 'rw'): void };
    readonly remote: { configure(account: object): void };
    scope(path: string): {
      storeFile(mimeType: string, path: string, body: string): Promise<unknown>;
      getFile(path: string, maxAge?: number | false): Promise<unknown>;
      getListing(path: string, maxAge?: number | false): Promise<unknown>;
      remove(path: string): Promise<unknown>;
    };
    on(event: 'connected', listener: (value: unknown) => void): void;
  }
}

declare module 'inherits';
