import { expect } from 'chai';
import { concat, toBase64url, u16be, u64be } from '../../src/crypto/bytes.ts';
import { frameValue } from '../../src/keys/storage/checksummed-value.ts';
import { callContentScript } from './drivers/content-script-calls.ts';
import type { Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from './scene.ts';
import {
  connect,
  lockVault,
  openEnabledSite,
  openPopup,
  succeed,
  unlockVault,
  vaultMarked,
} from './steps.ts';

/*
 * Code in the content script's own world, as a compromised renderer has it: what it can do with the
 * browser's storage (T9 of the threat model). The functions below run there, with nothing around them.
 */

interface Area {
  get(keys: null): Promise<Record<string, unknown>>;
  set(items: object): Promise<void>;
  clear(): Promise<void>;
  readonly onChanged: { addListener(listener: (changes: object) => void): void };
}
interface ContentGlobal {
  readonly browser?: { readonly storage: Readonly<Record<string, Area>> };
  readonly chrome?: { readonly storage: Readonly<Record<string, Area>> };
  heardNames?: string[];
}

/** What each storage area that can be named gives: its names, or the browser's refusal. */
type Readings = Record<string, string[] | string>;

async function readAreas(): Promise<Readings> {
  const { browser, chrome } = globalThis as unknown as ContentGlobal;
  const { storage } = (browser ?? chrome)!;
  const known = ['local', 'session', 'sync', 'managed'];
  const readings: Readings = {};
  for (const name of new Set([...known, ...Object.keys(storage)])) {
    const area = storage[name];
    if (typeof area?.get !== 'function') continue;
    readings[name] = await area.get(null).then(Object.keys, String);
  }
  return readings;
}

/** Listens from now on to all changes of all areas. */
function hearChanges(): Promise<void> {
  const scope = globalThis as unknown as ContentGlobal;
  const { storage } = (scope.browser ?? scope.chrome)!;
  const heard: string[] = (scope.heardNames = []);
  const hear = (changes: object) => void heard.push(...Object.keys(changes));
  const all = [storage.onChanged as unknown as Area['onChanged']];
  for (const name of ['local', 'session', 'sync', 'managed']) {
    if (storage[name]?.onChanged) all.push(storage[name].onChanged);
  }
  for (const event of all) event.addListener(hear);
  return Promise.resolve();
}

const heardChanges = (): Promise<string[]> =>
  Promise.resolve((globalThis as unknown as ContentGlobal).heardNames!);

/** Puts values into all areas, and then takes all away. @returns what each area came to */
async function writeAreas(values: object): Promise<Record<string, string>> {
  const { browser, chrome } = globalThis as unknown as ContentGlobal;
  const { storage } = (browser ?? chrome)!;
  const outcomes: Record<string, string> = {};
  for (const name of ['local', 'session', 'sync']) {
    const area = storage[name];
    if (area === undefined) continue;
    const written = area.clear().then(() => area.set(values));
    outcomes[name] = await written.then(() => 'written', String);
  }
  return outcomes;
}

/** What is reached by the names of databases, caches and files. */
async function readOrigin(): Promise<object> {
  const databases = (await indexedDB.databases()).map(({ name }) => name);
  const folder = await navigator.storage.getDirectory();
  // Firefox gives content scripts no iterator over a folder.
  const isThere = (name: string) =>
    folder.getFileHandle(name).then(
      () => true,
      () => false,
    );
  const files: string[] = [];
  for (const name of ['of the page', 'sealwright']) if (await isThere(name)) files.push(name);
  return { databases, caches: await caches.keys(), files };
}

/** In the page: one of each. */
async function fillOrigin(): Promise<void> {
  await new Promise((resolve, reject) => {
    const request = indexedDB.open('of the page');
    request.onsuccess = resolve;
    request.onerror = reject;
  });
  await caches.open('of the page');
  const folder = await navigator.storage.getDirectory();
  await folder.getFileHandle('of the page', { create: true });
}

const FUNCTIONS = { readAreas, hearChanges, heardChanges, writeAreas, readOrigin };

/** That a vault was made; Firefox alone needs it, and cannot close the area (storage-move.ts). */
const MARK = 'vault-made';

/** A head that all others lose against, and that names no manifest. */
const forgedHead = (slot: 'a' | 'b') => {
  const name = `vault/head/${slot}`;
  const head = concat(u16be(1), u64be(2 ** 40), new Uint8Array(32));
  return toBase64url(frameValue(name, head));
};

for (const browser of BROWSERS) {
  describe(`an attacker in the content script, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;
    let words: string;

    before(async () => {
      scene = await openVaultScene(browser, { contentScriptFunctions: FUNCTIONS });
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html`);
      await connect(scene.session, site);
      words = await pictureWords();
      if (browser === 'firefox') await vaultMarked(scene.session);
    });

    after(() => closeScene(scene));

    /** Locks the vault, and reads the picture where the passphrase is asked for. */
    const pictureWords = async (): Promise<string> => {
      await lockVault(scene.session);
      const popup = await openPopup(scene.session);
      await popup.waitUntil(() => !!document.querySelector('.picture-words')?.textContent);
      const shown = await popup.text('.picture-words');
      await popup.close();
      await unlockVault(scene.session);
      return shown;
    };

    it('reads nothing of the extension in any storage area', async () => {
      const readings = (await callContentScript(site, 'readAreas')) as Readings;
      expect(readings).to.have.property('local');
      for (const [name, reading] of Object.entries(readings)) {
        if (typeof reading === 'string') expect(reading, name).to.match(/^(Error|TypeError)/);
        else expect(reading, name).to.deep.equal(name === 'local' ? [MARK] : []);
      }
      const { local } = readings;
      if (browser === 'chromium') expect(local).to.include('Access to storage is not allowed');
    });

    it('hears of no change, of the vault or of a setting', async () => {
      await callContentScript(site, 'hearChanges');
      await pictureWords();
      const sealed = await succeed(site, 'sealText', 'text');
      expect(await succeed(site, 'openText', sealed)).to.equal('text');
      const manager = await scene.session.newTab(
        scene.session.extensionUrl('manager.html#settings'),
      );
      await manager.click('#advanced > summary');
      await manager.click('#site-movements');
      await manager.waitUntil(() => document.querySelector('#site-movements:checked') !== null);
      await manager.close();
      expect(await callContentScript(site, 'heardChanges')).to.deep.equal([]);
    });

    it('changes nothing that the extension reads', async () => {
      const sealed = await succeed(site, 'sealText', 'sealed before');
      const pattern = `http://${new URL(scene.server.origin).hostname}/*`;
      const outcomes = await callContentScript(site, 'writeAreas', {
        'vault/vault/head/a': forgedHead('a'),
        'vault/vault/head/b': forgedHead('b'),
        'note/lent sites': [{ pattern, windowId: -1 }],
        'note/guarded sites': [],
        'note/removed-sites': [pattern],
        'ui.picture': { outline: 'circle', symbols: ['anchor', 'apple', 'bell'], tone: 'green' },
      });
      const refused = /Access to storage is not allowed/;
      if (browser === 'chromium') expect(outcomes).to.have.property('local').that.matches(refused);
      else expect(outcomes).to.have.property('local', 'written');
      await scene.session.killBackground();
      expect(await pictureWords()).to.equal(words);
      expect(await succeed(site, 'openText', sealed)).to.equal('sealed before');
      await scene.session.reloadExtension();
      await unlockVault(scene.session);
      await site.reload();
      await site.waitUntil(() => 'sealwright' in globalThis);
      expect(await succeed(site, 'openText', sealed)).to.equal('sealed before');
    });

    it('reaches the databases, caches and files of the page, and none of the extension', async () => {
      await site.evaluate(fillOrigin);
      const own = ['of the page'];
      const reached = { databases: own, caches: own, files: own };
      expect(await callContentScript(site, 'readOrigin')).to.deep.equal(reached);
    });
  });
}
