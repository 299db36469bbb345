import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { connect, lockVault, openEnabledSite, openPopup, succeed, unlockVault } from '../steps.ts';

interface Area {
  get(keys: null): Promise<Record<string, unknown>>;
  set(items: object): Promise<void>;
}
type StorageGlobal = Record<'browser' | 'chrome', { storage: { local: Area } } | undefined>;

/**
 * In a page of the extension: puts all values where earlier versions had them. Firefox's lie in a cache
 * now; Chromium's have stayed. @returns the names
 */
async function restoreEarlierLayout(): Promise<string[]> {
  const { browser, chrome } = globalThis as unknown as StorageGlobal;
  const { local } = (browser ?? chrome)!.storage;
  const cache = await caches.open('sealwright');
  for (const { url } of await cache.keys()) {
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    const text = (await cache.match(url))!.headers.get('x-value')!;
    const digits = text.replaceAll('-', '+').replaceAll('_', '/');
    if (name.startsWith('vault/')) await local.set({ [name]: text });
    else if (/^(note\/|ui\.)/.test(name)) {
      await local.set({ [name]: JSON.parse(atob(digits)) as unknown });
    }
  }
  await caches.delete('sealwright');
  const names = Object.keys(await local.get(null)).filter((name) => name !== 'vault-made');
  return names.sort();
}

/** In a page of the extension. */
async function storedNames(): Promise<{ area: string[]; cache: string[] }> {
  const { browser, chrome } = globalThis as unknown as StorageGlobal;
  const all = Object.keys(await (browser ?? chrome)!.storage.local.get(null)).sort();
  const area = all.filter((name) => name !== 'vault-made'); // Firefox's mark (storage-move.ts)
  const requests = await (await caches.open('sealwright')).keys();
  const cache = requests.map(({ url }) => decodeURIComponent(new URL(url).pathname.slice(1)));
  return { area, cache: cache.filter((name) => /^(vault\/|note\/|ui\.)/.test(name)).sort() };
}

async function pictureWords(session: BrowserSession): Promise<string> {
  const popup = await openPopup(session);
  await popup.waitUntil(() => !!document.querySelector('.picture-words')?.textContent);
  const words = await popup.text('.picture-words');
  await popup.close();
  return words;
}

for (const browser of BROWSERS) {
  describe(`an update from a version that stored all in storage.local, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;

    before(async () => {
      scene = await openVaultScene(browser);
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html`);
      await connect(scene.session, site);
    });

    after(() => closeScene(scene));

    it('takes over the vault, the settings and the picture', async () => {
      const { session } = scene;
      const sealed = await succeed(site, 'sealText', 'sealed before');
      const manager = await session.newTab(session.extensionUrl('manager.html#settings'));
      await manager.click('#advanced > summary');
      await manager.click('#site-movements');
      await manager.waitUntil(() => document.querySelector('#site-movements:checked') !== null);
      await lockVault(session);
      const words = await pictureWords(session);
      const names = await manager.evaluate(restoreEarlierLayout);
      expect(names).to.include.members(['note/gathers movements', 'ui.picture']);
      // Of the passphrase, and of the recovery code that comes with a new vault.
      expect(names.filter((name) => name.startsWith('vault/vault/slot/'))).to.have.length(2);
      await session.reloadExtension();

      expect(await pictureWords(session)).to.equal(words);
      const page = await session.newTab(session.extensionUrl('manager.html#settings'));
      const { area, cache } = await page.evaluate(storedNames);
      const here = browser === 'firefox' ? cache : area;
      expect(here.filter((name) => name !== 'note/removed-sites')).to.deep.equal(names);
      expect(browser === 'firefox' ? area : cache, 'where the other browser has them').to.be.empty;
      await page.close();
      await unlockVault(session);
      const settings = await session.newTab(session.extensionUrl('manager.html#settings'));
      await settings.waitUntil(() => document.querySelector('#site-movements:checked') !== null);
      await site.reload();
      await site.waitUntil(() => 'sealwright' in globalThis);
      expect(await succeed(site, 'openText', sealed)).to.equal('sealed before');
    });
  });
}
