import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { disableSite, enableSite } from '../steps.ts';

/*
 * What the windows about fields look like, and what they offer beside the text: whatever is in them, their buttons are
 * in sight; nothing leads nowhere.
 */

const SECRET = 'Meet me at the old mill';
/** As long as a mark stands before it takes a press, and what a layout needs. */
const STANDING = 700;

/** Runs in a window: how much of its last buttons is below its end. */
function hiddenPart(): number {
  const bar = document.querySelector('#app > main > .view > .actions')!.getBoundingClientRect();
  return Math.max(0, bar.bottom - innerHeight);
}

for (const browser of BROWSERS) {
  describe(`windows about fields, in ${browser}`, function () {
    this.timeout(60_000);
    let scene: Scene;
    let site: Tab;

    before(async () => {
      scene = await openVaultScene(browser);
      site = await scene.session.newTab(`${scene.server.origin}/marks.html`);
      await site.evaluate(() => {
        document.querySelector('#field')!.outerHTML =
          '<label>Post <textarea id="field" name="p" cols="60"></textarea></label>';
      });
    });
    after(() => closeScene(scene));

    const about = async (kind: 'write' | 'seal' | 'open', selector = '#field'): Promise<Tab> => {
      await site.click(selector);
      return fieldSteps.fieldSession(scene.session, site, kind);
    };
    const closed = (window: Tab) => fieldSteps.closed(scene.session, window);

    it('are as high as what is in them, with their buttons in sight, in other languages too', async () => {
      const window = await about('write');
      await window.waitFor('#seal-insert');
      for (const language of ['auto', 'de', 'ar']) {
        await window.evaluate((chosen) => {
          localStorage.setItem(
            'preferences',
            JSON.stringify({ language: chosen, theme: 'system' }),
          );
          dispatchEvent(new StorageEvent('storage', { key: 'preferences' }));
        }, language);
        await window.waitUntil(
          (lang) => lang === 'auto' || document.documentElement.lang.startsWith(lang),
          {},
          language,
        );
        // The window follows what is in it.
        await window.waitUntil(() => {
          const bar = document.querySelector('#app > main > .view > .actions');
          const empty =
            innerHeight - document.querySelector('#app')!.getBoundingClientRect().height;
          return bar !== null && bar.getBoundingClientRect().bottom <= innerHeight && empty <= 40;
        });
      }
      await window.evaluate(() => localStorage.removeItem('preferences'));
      // Where the screen has no room for all of it, the text scrolls beneath the buttons.
      await window.setViewport(520, 450);
      expect(await window.evaluate(hiddenPart)).to.equal(0);
      await closed(window);
    });

    it('enable a site that is off, and have its field sealed always, by one press', async () => {
      await disableSite(scene.session, site);
      const window = await about('seal');
      await window.waitFor('#enable-always-seal');
      expect(await window.text('#enable-always-seal')).to.equal(
        'Enable the site to always seal this field',
      );
      // Automation answers the browser's question in Firefox alone.
      if (browser === 'chromium') {
        await closed(window);
        return;
      }
      await window.click('#enable-always-seal');
      await window.waitUntil(
        () => document.querySelector<HTMLInputElement>('#always-seal')?.checked === true,
      );
      await window.waitFor('#reload-first');
      await closed(window);
      const manager = await scene.session.newTab(scene.session.extensionUrl('manager.html#sites'));
      await manager.waitFor('#sites summary');
      expect(await manager.text('#sites summary')).to.include('On · may do nothing now');
      await manager.click('#sites summary');
      await manager.waitFor('.site-fields [aria-label="Remove: Post"]');
      await manager.click('.site-fields [aria-label="Remove: Post"]');
      await manager.waitUntil(
        () => document.querySelector('.site-fields [aria-label="Remove: Post"]') === null,
      );
      await manager.close();
    });

    it('about a password say that it is never sealed, and close', async () => {
      const page = await scene.session.newTab(`${scene.server.origin}/fields.html`);
      await page.click('#password');
      const window = await fieldSteps.fieldSession(scene.session, page, 'seal');
      await window.waitFor('#protected');
      await window.click('#done').catch(() => undefined); // it closes itself
      await fieldSteps.allClosed(scene.session);
      await page.close();
    });

    it('edit a sealed text of a field that was opened by its mark, which covers none of it', async () => {
      await site.goto(`${scene.server.otherOrigin}/marks.html`);
      await enableSite(scene.session, site);
      const writing = await fieldSteps.write(scene.session, site, SECRET);
      await writing.click('#seal-copy');
      await writing.waitFor('#sealed-text');
      const sealed = await fieldSteps.sealedIn(writing);
      await closed(writing);
      await site.evaluate((text) => {
        const field = document.querySelector<HTMLInputElement>('#field')!;
        field.style.marginTop = '2em';
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }, sealed);
      await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
      await pause(STANDING);
      const places = await site.evaluate(() => {
        const { right, top, bottom } = document.querySelector('#field')!.getBoundingClientRect();
        const isMark = (x: number, y: number) =>
          document.elementFromPoint(x, y)?.localName === 'sealwright-marks';
        const inText = isMark(right - 6, (top + bottom) / 2);
        return { inText, x: right + 5, y: top - 5, isThere: isMark(right + 5, top - 5) };
      });
      expect(places).to.include({ inText: false, isThere: true });
      await site.clickAt(places.x, places.y);
      const reading = await scene.session.waitForTab('fields-window.html');
      await reading.waitFor('.opened');
      await fieldSteps.editOpened(reading);
      await reading.type('#compose', ' at noon');
      await reading.click('#seal-insert');
      await reading.waitFor('#sealed-inserted');
      await closed(reading);
      const window = await about('open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(`${SECRET} at noon`);
      await closed(window);
    });
  });
}
