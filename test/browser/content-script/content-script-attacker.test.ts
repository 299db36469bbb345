import { expect } from 'chai';
import { Dice } from '../../../bench/stress-engines/dice.ts';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { frameValue } from '../../../src/keys/values/checksummed-value.ts';
import {
  EXISTS,
  FRESH,
  HEADS,
  manifestName,
  recordName,
} from '../../../src/keys/values/value-names.ts';
import { forgedHead, forgedSlot } from '../../keys/forgeries.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { callContentScript } from '../drivers/content-script-calls.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  connect,
  lockVault,
  openEnabledSite,
  openPopup,
  PASSPHRASE,
  refusal,
  succeed,
  takeBack,
  unlockVault,
  vaultMarked,
} from '../steps.ts';

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

/** Puts values into all areas, and into what it shares with the page. @returns how many were written where */
async function writeEverywhere(
  values: readonly (readonly [name: string, value: unknown])[],
): Promise<Record<string, number>> {
  const { browser, chrome } = globalThis as unknown as ContentGlobal;
  const { storage } = (browser ?? chrome)!;
  const cache = await caches.open('sealwright');
  const folder = await navigator.storage.getDirectory();
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('sealwright', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('values');
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
  const put = (name: string, value: unknown) =>
    new Promise((resolve, reject) => {
      const request = database.transaction('values', 'readwrite').objectStore('values');
      const putting = request.put(value, name);
      putting.onsuccess = resolve;
      putting.onerror = reject;
    });
  const media: Record<string, (name: string, value: unknown) => Promise<unknown>> = {
    local: (name, value) => storage['local']!.set({ [name]: value }),
    sync: (name, value) => storage['sync']!.set({ [name]: value }),
    session: (name, value) => storage['session']!.set({ [name]: value }),
    database: put,
    cache: (name, value) =>
      cache.put(
        `https://values.invalid/${encodeURIComponent(name)}`,
        new Response(null, { headers: { 'x-value': String(value) } }),
      ),
    file: (name) => folder.getFileHandle(encodeURIComponent(name), { create: true }),
    page: (name, value) => {
      localStorage.setItem(name, JSON.stringify(value));
      return Promise.resolve();
    },
  };
  const written: Record<string, number> = {};
  for (const [medium, write] of Object.entries(media)) {
    written[medium] = 0;
    for (const [name, value] of values) {
      const isWritten = await Promise.resolve()
        .then(() => write(name, value))
        .then(
          () => 1,
          () => 0,
        );
      written[medium] += isWritten;
    }
  }
  database.close();
  return written;
}

const FUNCTIONS = {
  readAreas,
  hearChanges,
  heardChanges,
  writeAreas,
  readOrigin,
  writeEverywhere,
};

/** That a vault was made; Firefox alone needs it, and cannot close the area (durable-storage.firefox.ts). */
const MARK = 'vault-made';

/** A head that all others lose against, and that names no manifest, as it was stored. */
const storedHead = (name: string) => toBase64url(forgedHead(name));

const FORGED = IS_NIGHTLY ? 10_000 : 200;
const FORGED_AT_ONCE = IS_NIGHTLY ? 500 : 200;

/** One value under the name of one of ours, as they are stored where `storage.local` is the medium. */
function forgedValue(dice: Dice): [name: string, value: unknown] {
  const hex = () => Buffer.from(dice.bytes(16)).toString('hex');
  const number = dice.integer(1, 2 ** 31);
  const framed = (name: string): [string, unknown] => [
    `vault/${name}`,
    toBase64url(frameValue(name, dice.bytes(dice.integer(0, 300)))),
  ];
  const json = (): unknown => dice.pick([null, true, 7, '', [], {}, [`http://${hex()}/*`], [{}]]);
  switch (dice.integer(0, 7)) {
    case 0: {
      const name = dice.pick(HEADS);
      const schema = dice.pick([1, 1, 2, 65_535]);
      const head = forgedHead(name, { schema, generation: number * 2 ** dice.integer(0, 21) });
      return [`vault/${name}`, toBase64url(head)];
    }
    case 1: {
      const [name, slot] = forgedSlot({
        memoryKiB: dice.pick([19_456, 262_144, 1_048_576]),
        passes: dice.pick([2, 16]),
      });
      return [`vault/${name}`, toBase64url(slot)];
    }
    case 2:
      return framed(manifestName(number));
    case 3:
      return framed(recordName(hex(), number));
    case 4:
      return framed(dice.pick([EXISTS, FRESH, ...HEADS]));
    case 5:
      return [`note/${dice.pick(['lent sites', 'guarded sites', 'removed-sites', hex()])}`, json()];
    case 6:
      return [`ui.${dice.pick(['picture', 'language', 'theme', hex()])}`, json()];
    default:
      return [dice.pick([MARK, 'engines', EXISTS]), json()];
  }
}

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

    /** Locks the vault, reads the picture where the passphrase is asked for, and unlocks it. */
    const pictureWords = async (): Promise<string> => {
      const popup = await openPopup(scene.session);
      await popup.click('#lock-now');
      await popup.waitUntil(() => !!document.querySelector('.picture-words')?.textContent);
      const shown = await popup.text('.picture-words');
      await popup.type('#passphrase', PASSPHRASE);
      await popup.click('#unlock');
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
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
        'vault/vault/head/a': storedHead(HEADS[0]),
        'vault/vault/head/b': storedHead(HEADS[1]),
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

    it(`loses no vault and revives no grant by ${FORGED} forged values, and the passphrase opens`, async function () {
      this.timeout(20 * 60_000);
      const { session } = scene;
      const seed = String(Date.now() % 1_000_000);
      const dice = new Dice(seed);
      const forge = async (count: number) => {
        const values = Array.from({ length: count }, () => forgedValue(dice));
        const written = await callContentScript(site, 'writeEverywhere', values);
        const expected = browser === 'firefox' ? count : 0;
        expect(written, `seed ${seed}`).to.include({ local: expected, database: count });
        await session.killBackground();
      };
      const sealed = await succeed(site, 'sealText', 'sealed before');
      for (let done = 0; done < FORGED; done += FORGED_AT_ONCE) {
        const round = `seed ${seed}, after ${done} values`;
        await forge(FORGED_AT_ONCE / 2); // while it is open
        expect(await succeed(site, 'openText', sealed), round).to.equal('sealed before');
        await takeBack(session, site);
        expect(await refusal(site, 'openText', sealed), round).to.equal('NOT_GRANTED');
        await lockVault(session);
        await forge(FORGED_AT_ONCE / 2); // while it is locked
        await unlockVault(session);
        expect(await refusal(site, 'openText', sealed), round).to.equal('NOT_GRANTED');
        await connect(session, site);
        expect(await succeed(site, 'openText', sealed), round).to.equal('sealed before');
      }
      expect(await pictureWords()).to.equal(words);
    });
  });
}
