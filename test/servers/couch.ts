import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import expressPouchdb from 'express-pouchdb';
import httpAdapter from 'pouchdb-adapter-http';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDB from 'pouchdb-core';
import find from 'pouchdb-find';
import mapReduce from 'pouchdb-mapreduce';
import replication from 'pouchdb-replication';
import transformPouch from 'transform-pouch';
import type { SyncServer } from './server.ts';

/* PouchDB's server, which speaks CouchDB's protocol, in memory. */
const PATH = '/couch';

/** PouchDB keeps plugins for the whole process, and takes none twice. */
export const Database = PouchDB.plugin(httpAdapter)
  .plugin(memoryAdapter)
  .plugin(mapReduce)
  .plugin(replication)
  .plugin(find)
  .plugin(transformPouch);

/** @param databases whose documents, revisions and all, count as what is stored */
export async function startCouch(...databases: string[]): Promise<SyncServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-couch-'));
  const app = express();
  const options = {
    inMemoryConfig: true,
    mode: 'minimumForPouchDB',
    logPath: join(folder, 'log.txt'),
  };
  // Databases in memory are known by their names in the whole process.
  const Own = Database.defaults({ adapter: 'memory', prefix: `${folder}/` });
  app.use(PATH, expressPouchdb(Own, options));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const documents = async (name: string): Promise<Buffer> => {
    const query = '_changes?include_docs=true&style=all_docs&attachments=true&conflicts=true';
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}/${name}/${query}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  return {
    port,
    stored: async () => Buffer.concat(await Promise.all(databases.map(documents))),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}
