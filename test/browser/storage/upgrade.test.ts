import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { connect, lockVault, openEnabledSite, openPopup, succeed, unlockVault } from '../steps.ts';

interface Area {
  get(keys: null): Promise<Record<string, unknown>>;
}
type StorageGlobal = Record<'browser' | 'chrome', { storage: { local: Area } } | undefined>;

/** In a page of the extension. */
async function storedNames(): Promise<{ area: string[]; cache: string[] }> {
  const { browser, chrome } = globalThis as unknown as StorageGlobal;
  const all = Object.keys(await (browser ?? chrome)!.storage.local.get(null)).sort();
  const area = all.filter((name) => name !== 'vault-made'); // Firefox's mark (durable-storage.firefox.ts)
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
  describe(`an update of the extension, in ${browser}`, () => {
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
      const before = await manager.evaluate(storedNames);
      const here = browser === 'firefox' ? 'cache' : 'area';
      const names = before[here];
      expect(names).to.include.members(['note/gathers movements', 'ui.picture']);
      // Of the passphrase, and of the recovery code that comes with a new vault.
      expect(names.filter((name) => name.startsWith('vault/vault/slot/'))).to.have.length(2);
      await session.reloadExtension();

      expect(await pictureWords(session)).to.equal(words);
      const page = await session.newTab(session.extensionUrl('manager.html#settings'));
      const after = await page.evaluate(storedNames);
      expect(after[here].filter((name) => name !== 'note/removed-sites')).to.deep.equal(names);
      const elsewhere = browser === 'firefox' ? after.area : after.cache;
      expect(elsewhere, 'where the other browser has them').to.be.empty;
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
