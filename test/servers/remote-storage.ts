import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Armadietto from 'armadietto';
import { filesBelow, freePort, runServer, type SyncServer } from './server.ts';

/* armadietto, a server of remoteStorage, over files; in a process of its own, whose errors it catches. */
export interface RemoteStorageServer extends SyncServer {
  /** What a client is given after logging in. */
  readonly token: string;
}

/** Its addresses begin so: `/remote/storage/ada/…`. */
const BASE_PATH = 'remote';
const USER = 'ada';

/** @param scope a folder of the user's that the token may read and write */
export async function startRemoteStorage(scope: string): Promise<RemoteStorageServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-remote-storage-'));
  const [storage, configuration] = [join(folder, 'storage'), join(folder, 'configuration.json')];
  const store = new Armadietto.FileTree({ path: storage });
  await store.createUser({ username: USER, email: 'ada@example.org', password: 'lovelace' });
  const token = await store.authorize('sealwright', USER, { [scope]: ['r', 'w'] });
  const port = await freePort();
  writeFileSync(
    configuration,
    JSON.stringify({
      basePath: BASE_PATH,
      storage_path: storage,
      http: { host: '127.0.0.1', port },
      logging: { log_dir: folder, log_files: ['error'], stdout: [] },
    }),
  );
  const child = spawn(
    process.execPath,
    ['node_modules/armadietto/bin/armadietto.js', '-c', configuration],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const end = await runServer(child, `http://127.0.0.1:${port}/`);
  return {
    port,
    token,
    stored: () => Promise.resolve(filesBelow(storage)),
    close: async () => {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}
