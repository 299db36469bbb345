import { expect } from 'chai';
import { BROWSERS } from '../drivers/launch.ts';
import type { Tab } from '../drivers/driver.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import type { Scene } from '../scene.ts';
import { choose } from '../steps.ts';

for (const browser of BROWSERS) {
  describe(`the settings, in ${browser}`, function () {
    this.timeout(60_000);
    let scene: Scene & { readonly site: Tab };
    let settings: Tab;

    before(async () => {
      scene = await openSharedSiteScene(browser);
      settings = await openSettings();
    });
    after(async () => {
      await choose(settings, '#theme', 'system');
      await choose(settings, '#language', 'auto');
      await titleIs(settings, 'Settings');
      await settings.close();
      await closeSharedSiteScene(scene);
    });

    const openSettings = async (): Promise<Tab> => {
      const { session } = scene;
      const tab = await session.newTab(session.extensionUrl('manager.html#settings'));
      await tab.waitFor('#language');
      return tab;
    };

    it('have a language of their own, in each open page, at once and after a reload', async () => {
      const { session } = scene;
      const other = await session.newTab(session.extensionUrl('popup.html'));
      await other.waitFor('#nav-site');
      await choose(settings, '#language', 'de');
      await titleIs(settings, 'Einstellungen');
      await other.waitUntil(() => document.querySelector('#nav-keys')?.textContent === 'Schlüssel');
      await choose(settings, '#language', 'ar');
      await settings.waitUntil(() => document.documentElement.dir === 'rtl');
      expect(await settings.evaluate(() => document.documentElement.lang)).to.match(/^ar/);
      await settings.reload();
      // It stands behind the other tab, where Chromium draws nothing and `waitFor` sees nothing.
      await settings.waitUntil(() => document.querySelector('#language') !== null);
      expect(await settings.evaluate(() => document.documentElement.dir)).to.equal('rtl');
      // A page that has no copy of the choice asks the background.
      await other.evaluate(() => localStorage.clear());
      await other.reload();
      await other.waitUntil(() => document.documentElement.dir === 'rtl');
      await other.close();
    });

    it('show the language to no page', async () => {
      const seen = await scene.site.evaluate(() => [
        navigator.language.slice(0, 2),
        document.documentElement.lang,
        JSON.stringify(Object.entries(localStorage)),
      ]);
      expect(seen.join()).to.not.match(/ar/);
    });

    it('have light and dark colours, whatever the system has', async () => {
      const background = () =>
        settings.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await choose(settings, '#theme', 'dark');
      await settings.waitUntil(() => document.documentElement.dataset.theme === 'dark');
      expect(await background()).to.equal('rgb(17, 24, 29)');
      await choose(settings, '#theme', 'light');
      await settings.waitUntil(() => document.documentElement.dataset.theme === 'light');
      expect(await background()).to.equal('rgb(255, 255, 255)');
    });

    it('say under Advanced what is stored where, and which engine does what', async () => {
      await choose(settings, '#language', 'en');
      await titleIs(settings, 'Settings');
      await settings.click('#advanced > summary');
      await settings.waitUntil(() =>
        /[1-9][\d.,]*\s[kKM]iB/.test(document.querySelector('#storage')?.textContent ?? ''),
      );
      expect(await settings.text('#storage')).to.match(/nowhere else.*Copies of the vault2/s);
      await settings.click('#engines > summary');
      await settings.waitFor('#engines-by-algorithm');
      const engines = (algorithm: string) =>
        settings.evaluate((wanted) => {
          const rows = [...document.querySelectorAll('#engines-by-algorithm tbody > tr')];
          const row = rows.find((one) => one.querySelector('th')!.textContent === wanted);
          return row!.querySelector('td')!.textContent;
        }, algorithm);
      expect(await engines('AES-GCM')).to.equal('native, wasm-simd, and js');
      expect(await engines('AES-OCB')).to.not.include('native');
      const { cells, absent } = await settings.evaluate(() => ({
        cells: document.querySelector('#engine-names')!.textContent,
        absent: document.querySelector('#absent-engines')!.textContent,
      }));
      expect(cells).to.include('nativePart of the browser');
      expect(absent).to.match(/web(gl|gpu): \w/);
      await settings.click('#advanced > summary');
    });

    it('list the commands with their keys, the one that opens the popup first', async () => {
      await settings.waitUntil(() => document.querySelectorAll('#shortcuts > dt').length === 4);
      expect(await settings.text('#shortcuts')).to.match(/Alt\+Shift\+K|⌥⇧K/);
      expect(await settings.evaluate(() => document.querySelector('#advanced[open]'))).to.equal(
        null,
      );
    });
  });
}

const titleIs = (tab: Tab, title: string): Promise<void> =>
  tab.waitUntil(
    (wanted) => document.querySelector('#view-title')?.textContent.trim() === wanted,
    {},
    title,
  );
