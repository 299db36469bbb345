import { expect } from 'chai';
import { SCREEN_NAMES } from '../../extension/manager/screens.ts';
import { TABS } from '../../extension/popup/navigation.tsx';
import type { BrowserSession, Tab } from '../browser/drivers/driver.ts';
import { BROWSERS, launch } from '../browser/drivers/launch.ts';
import { closeScene } from '../browser/scene.ts';
import { serve, type TestServer } from '../browser/server.ts';
import { openPopup } from '../browser/steps.ts';
import { VIEWS } from '../browser/views.ts';
import { layoutFaults, sharedPlaces, shifts, type Places } from '../support/views/layout-faults.ts';
import { picturePath, removePictures } from './pictures.ts';

/*
 * Every view in two colours, three languages and two widths, in a browser with a window and its scrollbars. It
 * leaves a picture of each, and fails where a view has a fault of its layout.
 */

const LANGUAGES = ['en', 'de', 'ar'] as const;
const THEMES = ['light', 'dark'] as const;
const WIDE = { width: 1280, height: 720 };
const NARROW = { width: 320, height: 640 };
/** The popup asks for its size (extension/popup/popup.css), and the browser gives it. */
const POPUP = { width: 384, height: 600 };
/** A picture shows the whole view, up to this height. */
const MOST_HEIGHT = 2_000;

/** Runs in a page: no colour is on its way to another; spinners turn on. */
function endTransitions(): void {
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
}

const sizesOf = async (tab: Tab) =>
  (await tab.url()).includes('/popup.html') ? [POPUP, WIDE] : [NARROW, WIDE];

for (const browser of BROWSERS) {
  describe(`every view, in ${browser}`, function () {
    this.timeout(600_000);
    let session: BrowserSession;
    let server: TestServer;
    /** Any page of the extension but those that are looked at. */
    let other: Tab;

    before(async () => {
      removePictures(browser);
      [session, server] = await Promise.all([
        launch(browser, { headless: false }),
        serve('test/browser/fixtures'),
      ]);
      other = await session.newTab(session.extensionUrl('manager.html#about'));
    });
    after(() => closeScene({ session, server }));

    /** As the settings do it for pages that are open: before there is a vault, they are out of reach. */
    const choose = async (tab: Tab, language: string, theme: string): Promise<void> => {
      await other.evaluate(
        (value) => localStorage.setItem('preferences', value),
        JSON.stringify({ language, theme }),
      );
      await tab.waitUntil(
        (wanted, colours) => {
          const { lang, dataset } = document.documentElement;
          return lang.startsWith(wanted) && dataset['theme'] === colours;
        },
        {},
        language,
        theme,
      );
    };

    const forget = () => other.evaluate(() => localStorage.removeItem('preferences'));

    const look = async (tab: Tab, view: string): Promise<void> => {
      const faults: string[] = [];
      for (const { width, height } of await sizesOf(tab)) {
        for (const language of LANGUAGES) {
          for (const theme of THEMES) {
            await choose(tab, language, theme);
            await tab.setViewport(width, height);
            const how = `${theme} ${language} ${width}`;
            if (theme === THEMES[0]) {
              const found = await tab.evaluate(layoutFaults);
              faults.push(...found.map((fault) => `${how}: ${fault}`));
            }
            const whole = await tab.evaluate(() => document.documentElement.scrollHeight);
            if (whole > height) await tab.setViewport(width, Math.min(whole, MOST_HEIGHT));
            await tab.evaluate(endTransitions);
            await tab.screenshot(picturePath({ browser, view, how }));
          }
        }
      }
      await choose(tab, 'en', 'light');
      await forget();
      expect(faults, view).to.deep.equal([]);
    };

    for (const { title, show } of VIEWS) {
      it(`${title}: has no fault of its layout`, () => show({ session, server }, look));
    }

    /** Where that is which all tabs share, in each tab. @param go shows one */
    const moved = async (
      tab: Tab,
      names: readonly string[],
      go: (name: string) => Promise<void>,
    ): Promise<string[]> => {
      const found: string[] = [];
      for (const { width, height } of await sizesOf(tab)) {
        await tab.setViewport(width, height);
        for (const language of LANGUAGES) {
          await choose(tab, language, 'light');
          let first: Places | undefined;
          for (const name of names) {
            await go(name);
            await tab.waitFor(`#nav-${name}[aria-current]`);
            await tab.waitFor('#view-title');
            const places = await tab.evaluate(sharedPlaces);
            first ??= places;
            const by = shifts(first, places);
            found.push(...by.map((fault) => `${language} ${width}, ${name}: ${fault}`));
          }
        }
      }
      await forget();
      return found;
    };

    it('nothing of the manager moves between its screens', async () => {
      const manager = await session.newTab(session.extensionUrl('manager.html'));
      const go = (screen: string) =>
        manager.evaluate((hash) => {
          location.hash = hash;
        }, screen);
      expect(await moved(manager, SCREEN_NAMES, go)).to.deep.equal([]);
      await manager.close();
    });

    it('nothing of the popup moves between its tabs', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#nav-site');
      const go = (tab: string) => popup.click(`#nav-${tab}`);
      expect(await moved(popup, TABS, go)).to.deep.equal([]);
      await popup.close();
    });
  });
}
