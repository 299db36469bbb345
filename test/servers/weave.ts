import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow, freePort, PYTHON_PROGRAMS, startPython, type SyncServer } from './server.ts';

/* A server of Firefox Sync 1.1 (PyPI `weave-minimal`), in SQLite. It knows no CORS. */
const PROGRAM = 'weave-minimal';

/** @param user as Sync 1.1 spells names: lower-case letters and digits @param password 8 characters */
export async function startWeave(user: string, password: string): Promise<SyncServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-weave-'));
  const data = ['--data-dir', folder];
  execFileSync(join(PYTHON_PROGRAMS, PROGRAM), [...data, '--register', `${user}:${password}`], {
    stdio: 'ignore',
  });
  const port = await freePort();
  const end = await startPython(
    PROGRAM,
    ['--host', '127.0.0.1', '--port', String(port), ...data],
    `http://127.0.0.1:${port}/`,
  );
  return {
    port,
    stored: () => Promise.resolve(filesBelow(folder)),
    close: async () => {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}
