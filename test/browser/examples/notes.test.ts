import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { createNotesServer as untypedServer } from '../../../examples/notes/serve.mjs';
import { startKinto } from '../../servers/kinto.ts';
import type { SyncServer } from '../../servers/server.ts';
import { startWeave } from '../../servers/weave.ts';
import { nodeOpen, type NodeBundle } from '../../sync/node-weave.ts';
import { carryKeys, launchDevices, type Devices } from '../devices.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { answerPrompt, enableSite, lockVault, unlockVault } from '../steps.ts';
import { importSyncKey, pickKey, pickNamedKey } from '../sync-steps.ts';

const createNotesServer = untypedServer as (ports: Readonly<Record<string, number>>) => Server;

const NAME = 'ada';
const PASSWORD = 'lovelace1';
const NEVER = 'never in the clear';

/* examples/notes as a person uses it, on two devices and with both servers. */
for (const browser of BROWSERS) {
  let stores: SyncServer[];
  let server: Server;
  let origin: string;
  let devices: Devices;
  let one: Tab;
  let two: Tab;

  /** On the same port each time: it is the origin that the user has enabled. */
  async function serve(port = 0, host = 'localhost', weave = stores[1]!): Promise<void> {
    server = createNotesServer({ '/v1': stores[0]!.port, '/1.1': weave.port });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  const isIn = (site: Tab, state: string) =>
    site.waitUntil((name) => document.body.dataset['state'] === name, {}, state);
  const syncSays = (site: Tab, state: string) =>
    site.waitUntil(
      (name) => document.querySelector<HTMLElement>('#sync')!.dataset['sync'] === name,
      // weave-minimal commits to the disk many times for each note.
      { timeoutMs: 40_000 },
      state,
    );
  const titles = (site: Tab) =>
    site.evaluate(() => [...document.querySelectorAll('#list strong')].map((e) => e.textContent));
  const shows = (site: Tab, wanted: readonly string[]) =>
    site.waitUntil(
      (text) =>
        [...document.querySelectorAll('#list strong')].map((e) => e.textContent).join('|') === text,
      {},
      wanted.join('|'),
    );

  async function open(device: BrowserSession): Promise<Tab> {
    const site = await device.newTab(`${origin}/`);
    await enableSite(device, site);
    await isIn(site, 'unconnected');
    return site;
  }

  async function connect(
    device: BrowserSession,
    site: Tab,
    pick: 'first' | 'new' | { readonly label: string },
  ): Promise<void> {
    await site.click('#connect');
    await (typeof pick === 'string' ? pickKey(device, pick) : pickNamedKey(device, pick.label));
    await answerPrompt(device);
    await isIn(site, 'ready');
  }

  /** Fills the settings in. */
  async function fill(site: Tab, kind: 'kinto' | 'weave', address: string): Promise<void> {
    await site.click('#open-settings');
    await site.click(`[name=kind][value=${kind}]`);
    await site.evaluate(
      (...values) => {
        for (const [i, id] of ['address', 'name', 'password'].entries()) {
          document.querySelector<HTMLInputElement>(`#${id}`)!.value = values[i]!;
        }
      },
      address,
      NAME,
      PASSWORD,
    );
  }

  async function choose(site: Tab, kind: 'kinto' | 'weave', address: string): Promise<void> {
    await fill(site, kind, address);
    // "Synced" shall be about the new server.
    await site.evaluate(() => {
      document.querySelector<HTMLElement>('#sync')!.dataset['sync'] = '';
    });
    await site.click('#save-settings');
    await site.waitUntil(() => !document.querySelector<HTMLDialogElement>('#settings')!.open);
    await syncSays(site, 'synced');
  }

  async function write(site: Tab, text: string): Promise<void> {
    await site.click('#add');
    await site.waitFor('#text');
    await retype(site, text);
  }

  /** Types into the note that is open, and waits until it is on the server or cannot be. */
  async function retype(site: Tab, text: string): Promise<void> {
    await site.evaluate(() => {
      document.querySelector<HTMLTextAreaElement>('#text')!.value = '';
    });
    await site.type('#text', text);
    await site.press('Escape');
    await site.waitUntil(
      (title) => document.querySelector('#list strong')?.textContent === title,
      {},
      text,
    );
  }

  async function sync(site: Tab): Promise<void> {
    await site.click('#sync');
    await syncSays(site, 'synced');
  }

  async function select(site: Tab, title: string): Promise<void> {
    await site.evaluate((wanted) => {
      const rows = [...document.querySelectorAll<HTMLElement>('#list button')];
      rows.find((row) => row.querySelector('strong')!.textContent === wanted)!.click();
    }, title);
  }

  describe(`examples/notes, in ${browser}`, function () {
    this.timeout(120_000);

    before(async () => {
      [devices, stores] = await Promise.all([
        launchDevices(browser),
        Promise.all([startKinto('notes'), startWeave(NAME, PASSWORD)]),
      ]);
      await serve();
    });

    after(async () => {
      await Promise.all(devices.map((device) => device.close()));
      await stop();
      await Promise.all(stores.map((store) => store.close()));
    });

    it('says what to do until it may open notes, and then keeps them here', async () => {
      one = await open(devices[0]);
      expect(await one.text('#gate-words')).to.include('Connect');
      await connect(devices[0], one, 'new');
      await write(one, `Bread and ${NEVER}`);
      await syncSays(one, 'here');
    });

    it('takes the deletion of a note back, with what was typed last', async () => {
      await select(one, `Bread and ${NEVER}`);
      await one.waitFor('#text');
      await one.click('#remove');
      await shows(one, []);
      await one.click('#undo');
      await shows(one, [`Bread and ${NEVER}`]);
      expect(await one.evaluate(() => document.querySelector('#text')!.matches(':focus'))).to.equal(
        true,
      );
      await one.waitUntil(() => document.querySelector('#removed[hidden]') !== null);
    });

    it('brings them to a second device by way of Kinto', async () => {
      await choose(one, 'kinto', `${origin}/v1`);
      await carryKeys(devices);
      two = await open(devices[1]);
      // The key that came with the backup.
      await connect(devices[1], two, 'first');
      await choose(two, 'kinto', `${origin}/v1`);
      await shows(two, [`Bread and ${NEVER}`]);
    });

    it('works offline, and catches up', async () => {
      const port = Number(new URL(origin).port);
      await stop();
      await write(two, `Written offline, ${NEVER}`);
      await syncSays(two, 'offline');
      await serve(port);
      await sync(two);
      await sync(one);
      await shows(one, [`Written offline, ${NEVER}`, `Bread and ${NEVER}`]);
    });

    it('keeps both texts where two devices change one note, and asks which', async () => {
      await select(one, `Bread and ${NEVER}`);
      await select(two, `Bread and ${NEVER}`);
      const port = Number(new URL(origin).port);
      await stop();
      await retype(one, `Rye, ${NEVER}`);
      await retype(two, `Oats, ${NEVER}`);
      await serve(port);
      await sync(one);
      await sync(two);
      await shows(two, [`Oats, ${NEVER}`, `Rye, ${NEVER}`, `Written offline, ${NEVER}`]);
      expect(await two.text('.badge')).to.equal('Two versions');
      await select(two, `Oats, ${NEVER}`);
      await two.waitFor('#conflict');
      await two.click('#keep-this');
      await shows(two, [`Oats, ${NEVER}`, `Written offline, ${NEVER}`]);
      // The text that went can be taken back, too.
      await two.click('#undo');
      await shows(two, [`Rye, ${NEVER}`, `Oats, ${NEVER}`, `Written offline, ${NEVER}`]);
      await two.click('#remove');
      await shows(two, [`Oats, ${NEVER}`, `Written offline, ${NEVER}`]);
      await sync(two);
      await sync(one);
      await shows(one, [`Oats, ${NEVER}`, `Written offline, ${NEVER}`]);
    });

    it('changes the key; the other device waits for it, and goes on once it has come', async () => {
      await one.click('#open-settings');
      await one.click('details:nth-of-type(2) summary');
      await one.click('#rotate');
      await answerPrompt(devices[0]);
      await one.waitUntil(() => /new key/.test(document.querySelector('#rotated')!.textContent));
      await one.press('Escape');
      await write(one, `Under the new key, ${NEVER}`);
      await sync(one);
      await sync(two);
      await two.waitFor('.badge');
      const waiting = await titles(two);
      expect(waiting).to.include('A note that does not open');
      expect(waiting, 'what was readable stays so').to.include(`Oats, ${NEVER}`);
      await carryKeys(devices);
      await select(two, 'A note that does not open');
      await two.click('#retry');
      await two.waitUntil(
        (wanted) =>
          [...document.querySelectorAll('#list strong')].some((e) => e.textContent === wanted),
        {},
        `Under the new key, ${NEVER}`,
      );
    });

    it('leaves nothing on the screen when the vault is locked', async () => {
      await lockVault(devices[0]);
      await isIn(one, 'locked');
      const left = await one.evaluate(() => {
        const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
        return document.body.textContent + fields.map(({ value }) => value).join('\n');
      });
      for (const words of [NEVER, PASSWORD]) expect(left).to.not.include(words);
      await unlockVault(devices[0]);
      await isIn(one, 'ready');
      await one.waitFor('#list strong');
    });

    it('moves to a Weave server', async () => {
      await choose(one, 'weave', origin);
      await choose(two, 'weave', origin);
      await write(two, `Milk, ${NEVER}`);
      await sync(two);
      await sync(one);
      await one.waitUntil(
        (wanted) => document.querySelector('#list strong')!.textContent === wanted,
        {},
        `Milk, ${NEVER}`,
      );
    });

    it('has told neither server, nor this disk, a word', async () => {
      for (const store of stores) {
        const stored = await store.stored();
        expect(stored.length).to.be.above(500);
        expect(stored.includes(NEVER)).to.equal(false);
      }
      const rows = await one.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const opening = indexedDB.open('sealwright-notes');
            opening.onsuccess = () => {
              const reading = opening.result.transaction('notes').objectStore('notes').getAll();
              reading.onsuccess = () => resolve(JSON.stringify(reading.result));
            };
          }),
      );
      expect(rows).to.include('"payload":"sw1.');
      expect(rows).to.not.include(NEVER);
    });

    describe('under the key of a Mozilla account, on a server of Firefox Sync', () => {
      const KB = '5a'.repeat(32);
      const LABEL = 'Firefox';
      let account: SyncServer;

      before(async () => {
        await Promise.all([one.close(), two.close()]);
        await stop();
        account = await startWeave(NAME, PASSWORD);
        stores.push(account);
        // Another origin, which knows nothing of the notes before.
        await serve(0, '127.0.0.1', account);
        for (const device of devices) await importSyncKey(device, LABEL, KB);
      });

      /** What the server has, as it answers a client with the account's password. */
      async function stored(path: string): Promise<string> {
        const authorization = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`;
        const storage = `http://127.0.0.1:${account.port}/1.1/${NAME}/storage`;
        return (await fetch(`${storage}/${path}`, { headers: { authorization } })).text();
      }

      async function storedNotes(): Promise<string[]> {
        const records = JSON.parse(await stored('notes?full=1')) as { readonly payload: string }[];
        return records.map(({ payload }) => payload);
      }

      it('seals nothing before the keys of its collections have come', async () => {
        one = await open(devices[0]);
        await connect(devices[0], one, { label: LABEL });
        await one.click('#add');
        await one.waitUntil(() => document.querySelector('#trouble')!.textContent !== '');
        expect(await titles(one)).to.deep.equal([]);
      });

      it('says in the settings why a server cannot be used, and stays there', async () => {
        await fill(one, 'weave', `${origin}/nowhere`);
        await one.click('#save-settings');
        await one.waitUntil(
          () => document.querySelector('#settings[open] #settings-trouble')!.textContent !== '',
        );
        await one.press('Escape');
      });

      it('makes crypto/keys on the server, where a second device finds them', async () => {
        await choose(one, 'weave', origin);
        await write(one, `Tea, ${NEVER}`);
        await sync(one);
        two = await open(devices[1]);
        await connect(devices[1], two, { label: LABEL });
        await choose(two, 'weave', origin);
        await shows(two, [`Tea, ${NEVER}`]);
      });

      it('takes the keys that another device has made, without being asked', async () => {
        const before = new Set(await storedNotes());
        await one.click('#open-settings');
        await one.click('details:nth-of-type(2) summary');
        await one.click('#rotate');
        await poll('every note under new keys', PATIENCE_MS, async () =>
          (await storedNotes()).some((payload) => before.has(payload)) ? undefined : true,
        );
        await one.press('Escape');
        await write(one, `Under new keys, ${NEVER}`);
        await sync(one);
        await sync(two);
        await shows(two, [`Under new keys, ${NEVER}`, `Tea, ${NEVER}`]);
        expect(await two.evaluate(() => document.querySelector('.badge'))).to.equal(null);
      });

      it('is read by another program that has the account, and by no other', async () => {
        const keys = JSON.parse(await stored('crypto/keys')) as { readonly payload: string };
        const { collections } = JSON.parse(nodeOpen(accountBundle(KB), keys.payload)) as {
          readonly collections: { readonly notes: readonly [string, string] };
        };
        const [encryptionKey, hmacKey] = collections.notes.map((text) =>
          Buffer.from(text, 'base64'),
        );
        const bundle = { encryptionKey: encryptionKey!, hmacKey: hmacKey! };
        const texts = (await storedNotes()).map((payload) => nodeOpen(bundle, payload));
        expect(texts.some((text) => text.includes(`Tea, ${NEVER}`))).to.equal(true);
        expect((await account.stored()).includes(NEVER)).to.equal(false);
      });
    });
  });
}

/** The bundle of an account (Sync 1.5), from its key kB in hex. */
function accountBundle(kB: string): NodeBundle {
  const info = 'identity.mozilla.com/picl/v1/oldsync';
  const bytes = hkdfSync('sha256', Buffer.from(kB, 'hex'), new Uint8Array(32), info, 64);
  const all = new Uint8Array(bytes);
  return { encryptionKey: all.subarray(0, 32), hmacKey: all.subarray(32) };
}
