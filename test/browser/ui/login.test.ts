import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { createLoginServer as untypedServer } from '../../../examples/login/server.mjs';
import { dsaPem } from '../../support/samples/dsa-key.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { answerPrompt, openEnabledSite } from '../steps.ts';

const createLoginServer = untypedServer as (origin: () => string) => Server;

/* examples/login, with a key made in the prompt and with one of an old system. */
for (const browser of BROWSERS) {
  describe(`login by a signature, in ${browser}`, () => {
    let scene: Scene;
    let session: BrowserSession;
    const servers: Server[] = [];

    before(async () => {
      scene = await openVaultScene(browser);
      ({ session } = scene);
    });

    after(async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await closeScene(scene);
    });

    /** The example on an origin of its own. */
    async function openLogin(): Promise<Tab> {
      let origin = '';
      const server = createLoginServer(() => origin);
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      origin = `http://localhost:${(server.address() as AddressInfo).port}`;
      return openEnabledSite(session, `${origin}/`);
    }

    const says = (site: Tab, words: string) =>
      site.waitUntil(
        (wanted) => document.querySelector('#message')?.textContent === wanted,
        {},
        words,
      );

    async function registered(site: Tab, choose?: (prompt: Tab) => Promise<void>): Promise<void> {
      await site.click('#register');
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#sign-warning');
      await choose?.(prompt);
      await answerPrompt(session);
      await says(site, 'Registered ada.');
    }

    async function logsInAndNobodyElse(site: Tab): Promise<void> {
      await site.click('#log-in');
      await says(site, 'Welcome, ada.');
      const statuses = await site.evaluate(async () => {
        const post = (path: string, body: object) =>
          fetch(path, { method: 'POST', body: JSON.stringify(body) });
        type Api = { sign(data: Uint8Array): Promise<Uint8Array> };
        const { sealwright } = globalThis as unknown as { sealwright: Api };
        const { challenge } = (await (await post('/challenge', {})).json()) as {
          challenge: string;
        };
        const sign = async (text: string) => {
          const bytes = await sealwright.sign(new TextEncoder().encode(text));
          const digits = btoa(String.fromCharCode(...bytes));
          return digits.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
        };
        const signature = await sign(`login\nada\n${challenge}`);
        const login = { name: 'ada', challenge, signature };
        const first = await post('/login', login);
        const again = await post('/login', login);
        const fresh = (await (await post('/challenge', {})).json()) as { challenge: string };
        const other = await post('/login', { ...login, challenge: fresh.challenge });
        return [first.status, again.status, other.status];
      });
      expect(statuses).to.deep.equal([200, 401, 401]);
    }

    it('works with Ed25519, by a key that is made when the site asks', async () => {
      const site = await openLogin();
      await registered(site);
      await logsInAndNobodyElse(site);
      await site.close();
    });

    it('works with DSA, by a key that is imported in the manager', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sealwright-login-'));
      const file = join(folder, 'old.pem');
      await writeFile(file, dsaPem());
      const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
      await manager.click('#advanced-keys > summary');
      await manager.click('#import-key-title');
      await manager.waitFor('#import-key-file');
      await manager.chooseFile('#import-key-file', file);
      await manager.type('#import-key-label', 'Old login');
      await manager.click('#import-key-now');
      await manager.waitUntil(() => document.querySelectorAll('#keys > li').length === 3);
      await manager.close();
      await rm(folder, { recursive: true });

      const site = await openLogin();
      await registered(site, (prompt) => prompt.click('.choice:nth-of-type(2) input'));
      await logsInAndNobodyElse(site);
    });

    it('shows the public key in the manager, with a QR code', async () => {
      const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
      await manager.waitFor('#keys');
      await manager.click('#keys > li:nth-child(2) .show-public-key');
      await manager.waitFor('[data-public-key]');
      expect(await manager.text('[data-public-key]')).to.match(/^swp1\.E[\w-]{43}$/);
      await manager.waitFor('.public-key svg');
      await manager.close();
    });
  });
}
