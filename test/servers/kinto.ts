import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPython, type SyncServer } from './server.ts';

/* Kinto itself (PyPI `kinto`), in memory. Any name and password are an account. */
const ACCOUNT = `Basic ${Buffer.from('ada:lovelace1').toString('base64')}`;

/** @param settings further lines: the plugins, and what they need */
export const kintoConfiguration = (...settings: string[]): string => `
[app:main]
use = egg:kinto
kinto.userid_hmac_secret = 0000000000000000000000000000000000000000000000000000000000000000
multiauth.policies = basicauth
${settings.join('\n')}
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory

[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = %(http_port)s
`;

/** @param collections of the account's default bucket whose records count as what is stored */
export async function startKinto(...collections: string[]): Promise<SyncServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-kinto-'));
  const configuration = join(folder, 'kinto.ini');
  writeFileSync(configuration, kintoConfiguration('kinto.includes = kinto.plugins.default_bucket'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/v1/`;
  const end = await startPython(
    'kinto',
    ['start', '--ini', configuration, '--port', String(port)],
    url,
  );
  const records = async (collection: string): Promise<Buffer> => {
    const path = `${url}buckets/default/collections/${collection}/records`;
    const answer = await fetch(path, { headers: { authorization: ACCOUNT } });
    return Buffer.from(await answer.arrayBuffer());
  };
  return {
    port,
    stored: async () => Buffer.concat(await Promise.all(collections.map(records))),
    close: async () => {
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}

export const KINTO_ACCOUNT = ACCOUNT;
