import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { decryptBSO, encryptBSO } from 'firefox-sync/bso.js';
import { startCouch } from '../../servers/couch.ts';
import { serveFront, type Front } from '../../servers/front.ts';
import { KINTO_ACCOUNT, startKinto } from '../../servers/kinto.ts';
import { startRemoteStorage } from '../../servers/remote-storage.ts';
import type { SyncServer } from '../../servers/server.ts';
import { startWeave } from '../../servers/weave.ts';
import { readPublished } from '../../support/vectors.ts';
import { carryKeys, launchDevices, type Devices } from '../devices.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Clients } from '../in-page/libraries/sync-clients.ts';
import { answerPrompt, openEnabledSite } from '../steps.ts';
import { openImport, pickKey } from '../sync-steps.ts';

declare const clients: Clients;

/** In every text that a test gives to a client; nowhere else. */
const SECRET = 'the river bends';
const byId = <T extends { id?: unknown }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
const secret = (words: string): string => `${words}, where ${SECRET}`;

/* The libraries that people sync with, over the adapters, against the real servers: two profiles. */
for (const browser of BROWSERS) {
  describe(`clients of sync services, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-clients-'));
    let servers: SyncServer[];
    let front: Front;
    let devices: Devices;
    let token: string;
    let one: Tab;
    let two: Tab;

    before(async () => {
      writeFileSync(join(folder, 'index.html'), PAGE);
      const remoteStorage = startRemoteStorage('files');
      const weave = startWeave('ada', 'lovelace1');
      const starting = [startKinto('tasks'), startCouch('letters'), remoteStorage, weave];
      [devices, servers] = await Promise.all([
        launchDevices(browser),
        Promise.all<SyncServer>(starting),
        bundle(join(folder, 'clients.js')),
      ]);
      ({ token } = await remoteStorage);
      const paths = ['/v1/', '/couch/', '/remote/', '/1.1/'];
      const routes = paths.map((path, i) => [path, servers[i]!.port] as const);
      front = await serveFront(Object.fromEntries(routes), folder);
      one = await connected(devices[0], 'new');
      await carryKeys(devices);
      // The key that came with the backup.
      two = await connected(devices[1], 'first');
    });

    after(async () => {
      await Promise.all(devices.map((device) => device.close()));
      await front.close();
      await Promise.all(servers.map((server) => server.close()));
      rmSync(folder, { recursive: true });
    });

    async function connected(device: BrowserSession, pick: 'first' | 'new'): Promise<Tab> {
      const site = await openEnabledSite(device, `${front.origin}/`);
      const asked = site.evaluate(() => clients.connect());
      await pickKey(device, pick);
      await answerPrompt(device);
      expect(await asked).to.deep.equal(['sync']);
      return site;
    }

    /** Whatever the server has of it, as somebody with its database would write it. */
    async function putOnKinto(id: string, data: object): Promise<void> {
      const url = `${front.origin}/v1/buckets/default/collections/tasks/records/${id}`;
      const headers = { authorization: KINTO_ACCOUNT, 'content-type': 'application/json' };
      await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ data }) });
    }

    async function putOnWeave(collection: string, bso: object): Promise<void> {
      const url = `${front.origin}/1.1/ada/storage/${collection}`;
      await fetch(url, { ...WEAVE, method: 'POST', body: JSON.stringify([bso]) });
    }

    it('kinto.js: what one device writes the other reads, changes and gives back', async () => {
      const titles = { t1: secret('Meet me'), t2: secret('Milk'), t3: secret('Bread') };
      for (const [id, title] of Object.entries(titles)) {
        await one.evaluate((...task) => clients.addTask(...task), id, title);
      }
      const rows = Object.entries(titles).map(([id, title]) => ({ id, title, trouble: null }));
      const sync = (site: Tab) => site.evaluate(() => clients.syncTasks());
      expect(await sync(one)).to.deep.equal({ ok: true, rows });
      expect(await sync(two)).to.deep.equal({ ok: true, rows });
      rows[1]!.title = secret('Oat milk');
      await two.evaluate((title) => clients.renameTask('t2', title), rows[1]!.title);
      await sync(two);
      expect(await sync(one)).to.deep.equal({ ok: true, rows });
    });

    it('kinto.js: what the server forges is quarantined, and keeps nothing else from syncing', async () => {
      const { data } = JSON.parse((await servers[0]!.stored()).toString()) as {
        data: { id: string; payload: string }[];
      };
      const { payload } = data.find(({ id }) => id === 't1')!;
      await putOnKinto('forged', { title: 'Pay Mallory' });
      await putOnKinto('copied', { payload });
      const { ok, rows } = await two.evaluate(() => clients.syncTasks());
      expect(ok).to.equal(true);
      const trouble = Object.fromEntries(rows.map((row) => [row.id, row.trouble]));
      expect(trouble).to.deep.equal({
        copied: 'AUTH_FAILED',
        forged: 'NOT_SEALED',
        t1: null,
        t2: null,
        t3: null,
      });
      expect(rows.find((row) => row.id === 'forged')!.title).to.equal(null);
    });

    it('kinto.js with heads: both devices learn of a record that the server leaves out', async () => {
      const quiet = { ok: true, missing: [], missingCount: 0, rolledBack: [] };
      const sync = (site: Tab) => site.evaluate(() => clients.syncLists());
      for (const id of ['a', 'b']) {
        await one.evaluate((...list) => clients.changeList(...list), id, secret('Books'));
      }
      expect(await sync(one)).to.deep.equal({ ...quiet, ids: ['a', 'b'] });
      expect(await sync(two)).to.deep.equal({ ...quiet, ids: ['a', 'b'] });
      await two.evaluate(() => clients.changeList('b', null));
      expect(await sync(two)).to.deep.equal({ ...quiet, ids: ['a'] });
      expect(await sync(one)).to.deep.equal({ ...quiet, ids: ['a'] });
      const reports = await Promise.all(
        [one, two].map((site) => site.evaluate(() => clients.verifyLists(3))),
      );
      expect(reports.flat()).to.deep.equal(Array(6).fill(true));
      const url = `${front.origin}/v1/buckets/default/collections/lists/records/a`;
      await fetch(url, { method: 'DELETE', headers: { authorization: KINTO_ACCOUNT } });
      expect(await sync(one)).to.deep.include({ ok: false, missing: ['a'], missingCount: 1 });
      expect(await sync(two)).to.deep.include({ ok: false, missing: [], missingCount: 1 });
    });

    it('PouchDB: replicates both ways through the remote handle alone', async () => {
      await one.evaluate((text) => clients.addLetter('l1', text), secret('Dear Ada'));
      await one.evaluate(() => clients.syncLetters());
      await two.evaluate((text) => clients.addLetter('l2', text), secret('Dear Grace'));
      const both = [
        { id: 'l1', text: secret('Dear Ada'), trouble: null },
        { id: 'l2', text: secret('Dear Grace'), trouble: null },
      ];
      expect(await two.evaluate(() => clients.syncLetters())).to.deep.equal(both);
      expect(await one.evaluate(() => clients.syncLetters())).to.deep.equal(both);
    });

    it('PouchDB: refuses the local database, where replication would send everything in the clear', async () => {
      const [code, words] = await one.evaluate(() => clients.transformLocalLetters());
      expect(code).to.equal('LOCAL_DATABASE');
      expect(words).to.match(/in the clear.*remote handle/);
    });

    it('remotestorage.js: stores objects and reads them on the other device', async () => {
      await one.evaluate((key) => clients.openFiles(key), token);
      await one.evaluate((text) => clients.storeFile('diary', text), secret('Today'));
      await two.evaluate((key) => clients.openFiles(key), token);
      const files = await two.evaluate(() => clients.readFiles());
      expect(files).to.deep.equal({ diary: { text: secret('Today') } });
    });

    it('Weave: reads what Firefox wrote, and writes what npm firefox-sync reads', async () => {
      await putOnWeave('crypto', { id: 'keys', payload: JSON.stringify(CHAIN.keys) });
      await putOnWeave('bookmarks', { id: CHAIN.id, payload: JSON.stringify(CHAIN.record) });
      const theirs = { id: 'theirs', title: secret('Made by firefox-sync') };
      await putOnWeave('bookmarks', encryptBSO(BUNDLE, theirs));
      await importWeaveKey(devices[0]);
      const asked = one.evaluate(() => clients.connectWeave());
      const prompt = await devices[0].waitForTab('prompt.html');
      await prompt.waitFor('.choice');
      // It may stand below the edge of Firefox's window.
      await prompt.evaluate(() =>
        document.querySelector<HTMLElement>('.choice:nth-of-type(2) input')!.click(),
      );
      await answerPrompt(devices[0]);
      await asked;
      const ours = { id: 'ours', title: secret('Made here') };
      await one.evaluate((bookmark) => clients.writeBookmark(bookmark), ours);
      const read = byId(await one.evaluate(() => clients.readBookmarks()));
      expect(read.map(({ id, trouble }) => [id, trouble])).to.deep.equal([
        [CHAIN.id, null],
        ['ours', null],
        ['theirs', null],
      ]);
      expect(read[0]).to.have.property(...CHAIN.member);
      expect(read[2]).to.deep.include(theirs);
      const answer = await fetch(`${front.origin}/1.1/ada/storage/bookmarks/ours`, WEAVE);
      const opened: unknown = decryptBSO(
        BUNDLE,
        (await answer.json()) as { id: string; payload: string },
      );
      expect(opened).to.deep.equal(ours);
    });

    it('IndexedDB and streams: what stays here is sealed as well', async () => {
      const asked = one.evaluate(() => clients.connectDrafts());
      await answerPrompt(devices[0]);
      await asked;
      const text = secret('Dear Ada');
      const { draft, row } = await one.evaluate((words) => clients.keepDraft(words), text);
      expect(draft).to.deep.equal({ text });
      expect(row.length).to.be.above(text.length);
      expect(row).to.not.include(SECRET);
      expect(await one.evaluate((words) => clients.sealThrough(words), text)).to.equal(text);
    });

    it('no server has had a word of it, in its store or on the way', async () => {
      const stores = await Promise.all(servers.map((server) => server.stored()));
      for (const store of stores) expect(store.length).to.be.above(100);
      expect(front.sent().length).to.be.above(5000);
      const everything = Buffer.concat([...stores, front.sent()]);
      for (const words of [SECRET, 'Meet me', 'Oat milk', 'Dear', 'Today', 'Made here']) {
        expect(everything.includes(words), words).to.equal(false);
        // Nor as Base64, at any of its three places.
        for (const shift of ['', 'x', 'xx']) {
          const digits = Buffer.from(shift + words)
            .toString('base64')
            .slice(4, -4);
          expect(digits === '' || !everything.includes(digits), words).to.equal(true);
        }
      }
      // The forgery, which was in the clear, is found: the search can find.
      expect(everything.includes('Pay Mallory')).to.equal(true);
    });
  });
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>clients</title>
<script type="module" src="clients.js"></script>`;

const WEAVE = { headers: { authorization: `Basic ${btoa('ada:lovelace1')}` } };

/** A real account's, from kB to a record that Firefox made (K3 and R3). */
interface Chain {
  readonly kB?: string;
  readonly keys: object;
  readonly defaultKeys: readonly [string, string];
  readonly id: string;
  readonly record: object;
  readonly member: readonly [string, string];
}
const { chains } = readPublished('weave.json') as { chains: readonly Chain[] };
const CHAIN = chains.find(({ kB }) => kB !== undefined)!;
const [encryptionKey, hmacKey] = CHAIN.defaultKeys.map((key) => Buffer.from(key, 'base64'));
const BUNDLE = { encryptionKey: encryptionKey!, hmacKey: hmacKey! };

async function importWeaveKey(device: BrowserSession): Promise<void> {
  const manager = await openImport(device);
  await manager.type('#import-sync-label', 'Firefox');
  await manager.type('#import-sync-secret', CHAIN.kB!);
  const before = await manager.evaluate(() => document.querySelectorAll('#keys > li').length);
  await manager.press('Enter');
  await manager.waitUntil(
    (count) => document.querySelectorAll('#keys > li').length > count,
    {},
    before,
  );
  await manager.close();
}

async function bundle(outfile: string): Promise<void> {
  const shims = resolve('test/browser/in-page/libraries/node-shims.ts');
  await build({
    entryPoints: ['test/browser/in-page/libraries/sync-clients.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    mainFields: ['browser', 'module', 'main'],
    alias: {
      util: shims,
      assert: shims,
      stream: resolve('node_modules/stream-browserify/index.js'),
    },
    define: { global: 'globalThis' },
    inject: [resolve('test/browser/in-page/libraries/node-globals.ts')],
    logLevel: 'error',
  });
}
