import { expect } from 'chai';
import { browserClock, type BrowserClock } from '../drivers/clock.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  connect,
  openEnabledSite,
  openSitePopup,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
} from '../steps.ts';

const DAY = 86_400_000;
/** More than 100 are needed, and more than four times the largest hour before, which has one opening. */
const MANY = 101;
const TITLE = 'Far more opened than usual';
const IN_ACTIVITY = 'far more opened in an hour than usual';

interface Extension {
  readonly action: { getTitle(where: object): Promise<string> };
}

/** Runs in a page of the extension. */
function titleNow(): Promise<string> {
  const { browser: one, chrome: two } = globalThis as unknown as Record<
    string,
    Extension | undefined
  >;
  return (one ?? two)!.action.getTitle({});
}

const says = (page: Tab, selector: string, part: string): Promise<void> =>
  page.waitUntil(
    (where, words) => document.querySelector(where)?.textContent.includes(words) ?? false,
    {},
    selector,
    part,
  );

/* An hour in which a site opens far more than in any hour before is told, and stops nothing. */
for (const browser of BROWSERS) {
  describe(`an unusual hour, in ${browser}`, function () {
    this.timeout(180_000);
    let clock: BrowserClock;
    let scene: Scene;
    let site: Tab;
    /** Of the extension, in the process of the background. */
    let own: Tab;
    let sealed: string;

    before(async () => {
      clock = await browserClock(browser);
      scene = await openVaultScene(browser, clock.options);
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html`);
      own = await scene.session.newTab(scene.session.extensionUrl('manager.html#about'));
      await connect(scene.session, site, SEAL_AND_OPEN);
      sealed = (await succeed(site, 'sealText', 'a note')) as string;
    });
    after(async () => {
      await closeScene(scene);
      await clock.remove();
    });

    /** @returns how many of the texts came back */
    const openMany = (count: number) =>
      site.evaluate(
        async (calls, text) => {
          const { sealwright } = globalThis as unknown as {
            sealwright: { openText(text: string): Promise<string> };
          };
          const opened = await Promise.all(
            Array.from({ length: calls }, () => sealwright.openText(text)),
          );
          return opened.filter((each) => each === 'a note').length;
        },
        count,
        sealed,
      );
    const activity = async () => {
      const page = await scene.session.newTab(scene.session.extensionUrl('manager.html#activity'));
      await says(page, 'main', 'opened');
      const text = await page.text('main');
      await page.close();
      return text;
    };

    it('is not told on the first day, which has nothing to compare with', async () => {
      expect(await openMany(MANY)).to.equal(MANY);
      expect(await activity()).to.not.include(IN_ACTIVITY);
    });

    it('is told at the button, in the popup and in Activity, and all is opened', async () => {
      await clock.set(own, 2 * DAY);
      await unlockVault(scene.session);
      const most = 4 * MANY;
      expect(await openMany(most)).to.equal(most);
      expect(await activity(), 'four times the largest').to.not.include(IN_ACTIVITY);
      expect(await openMany(1)).to.equal(1);
      await poll('the title of the button', PATIENCE_MS, async () =>
        (await own.evaluate(titleNow)) === 'Sealwright: a site opened far more than usual'
          ? true
          : undefined,
      );
      expect(await activity()).to.include(IN_ACTIVITY);
      const popup = await openSitePopup(scene.session, site);
      await says(popup, '.reminder', TITLE);
      await popup.close();
    });

    it('is read in the list of sites, and told no more', async () => {
      const sites = await scene.session.newTab(scene.session.extensionUrl('manager.html#sites'));
      await says(sites, 'main', TITLE);
      await sites.click('.banner .actions button');
      await poll('the notice has gone', PATIENCE_MS, async () =>
        (await sites.text('main')).includes(TITLE) ? undefined : true,
      );
      await sites.close();
      await poll('the title of the button', PATIENCE_MS, async () =>
        (await own.evaluate(titleNow)).includes('more than usual') ? undefined : true,
      );
      expect(scene.session.uncaught).to.deep.equal([]);
    });
  });
}
