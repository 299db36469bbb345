import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  answerPrompt,
  call,
  choose,
  confirmPassphrase,
  enableSite,
  lockVault,
  openPopup,
  openSitePopup,
  SEAL_AND_OPEN,
  unlockVault,
} from '../steps.ts';

/* What the button in the browser's toolbar shows, as the browser itself tells its extension. */

interface Shown {
  readonly title: string;
  readonly badge: string;
}

interface Extension {
  readonly action: {
    getTitle(where: object): Promise<string>;
    getBadgeText(where: object): Promise<string>;
  };
  readonly tabs: { query(filter: object): Promise<{ id: number }[]> };
}

/** For the tab of the test's site, and for all others. Runs in a page of the extension. */
async function shownNow(): Promise<{ site: Shown; others: Shown }> {
  const { browser: one, chrome: two } = globalThis as unknown as Record<
    string,
    Extension | undefined
  >;
  const { action, tabs } = (one ?? two)!;
  const shown = async (where: object) => ({
    title: await action.getTitle(where),
    badge: await action.getBadgeText(where),
  });
  const [tab] = await tabs.query({ url: 'http://localhost/*' });
  return { site: await shown(tab ? { tabId: tab.id } : {}), others: await shown({}) };
}

for (const browser of BROWSERS) {
  describe(`the toolbar's button, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;
    /** Only to read what is shown. */
    let page: Tab;

    before(async () => {
      scene = await openVaultScene(browser);
      page = await scene.session.newTab(scene.session.extensionUrl('manager.html#about'));
      site = await scene.session.newTab(`${scene.server.origin}/blank.html`);
    });
    after(() => closeScene(scene));

    /** @param of 'site': a site that may not be read is shown as all others */
    const shows = (of: 'site' | 'others', title: string, badge: string) =>
      poll(`“${title}” ${badge}`, PATIENCE_MS, async () => {
        const { [of]: shown } = await page.evaluate(shownNow);
        return shown.title === title && shown.badge === badge ? true : undefined;
      });

    it('says that the vault has no recovery code', async () => {
      await (await openPopup(scene.session)).close();
      await shows('others', 'Sealwright: make a recovery code', '!');
    });

    it('says of a tab that its site is enabled, and nothing of it once it has left', async () => {
      const manager = await scene.session.newTab(scene.session.extensionUrl('manager.html#backup'));
      await manager.click('#make-recovery-code');
      await confirmPassphrase(manager);
      await manager.waitFor('#recovery-code', 30_000);
      const code = await manager.evaluate(() =>
        Array.from(document.querySelectorAll('.code-group'), (group) => group.textContent),
      );
      await manager.click('#recovery-written');
      const asked = await manager.evaluate(() =>
        Array.from(document.querySelectorAll('#recovery label'), (label) => label.textContent),
      );
      for (const [place, label] of asked.entries()) {
        await manager.type(`#recovery-group-${place}`, code[Number(/\d+/.exec(label)![0]) - 1]!);
      }
      await manager.click('#confirm-recovery-code');
      await manager.waitFor('#recovery-done', 30_000);
      await manager.close();
      await shows('others', 'Sealwright: open', '');
      await enableSite(scene.session, site);
      await shows('site', 'Sealwright: open, on for this site', '✓');
      await shows('others', 'Sealwright: open', '');
      await site.reload();
      await shows('site', 'Sealwright: open, on for this site', '✓');
    });

    it('speaks the language of the settings, at once and after the background was ended', async () => {
      const settings = await scene.session.newTab(
        scene.session.extensionUrl('manager.html#settings'),
      );
      await settings.waitFor('#language');
      await choose(settings, '#language', 'de');
      await shows('others', 'Sealwright: entsperrt', '');
      await shows('site', 'Sealwright: entsperrt, für diese Website eingeschaltet', '✓');
      await scene.session.killBackground();
      await site.reload();
      await shows('site', 'Sealwright: entsperrt, für diese Website eingeschaltet', '✓');
      await choose(settings, '#language', 'auto');
      await shows('site', 'Sealwright: open, on for this site', '✓');
      await settings.close();
    });

    it('says that a request waits, in every tab, until it is answered', async () => {
      const asked = call(site, 'connect', SEAL_AND_OPEN);
      await scene.session.waitForTab('prompt.html');
      await shows('site', 'Sealwright: a site is waiting for your answer', '1');
      await shows('others', 'Sealwright: a site is waiting for your answer', '1');
      await answerPrompt(scene.session);
      expect((await asked).ok).to.equal(true);
      await shows('others', 'Sealwright: open', '');
    });

    it('says that the vault is locked, also after the background was ended', async () => {
      await lockVault(scene.session);
      await shows('others', 'Sealwright: locked', '');
      await shows('site', 'Sealwright: locked, on for this site', '✓');
      await scene.session.killBackground();
      await shows('others', 'Sealwright: locked', '');
      await unlockVault(scene.session);
      await shows('site', 'Sealwright: open, on for this site', '✓');
    });

    it('forgets the tab of a site that was turned off', async () => {
      const popup = await openSitePopup(scene.session, site);
      await popup.click('.confirm-opener button');
      await popup.click('.confirm .button-danger');
      await popup.waitFor('#enable-site');
      await shows('others', 'Sealwright: open', '');
      await popup.close();
    });

    it('cannot be read by a page', async () => {
      const found = await site.evaluate(() => {
        const { browser: one, chrome: two } = globalThis as unknown as Record<
          string,
          { action?: unknown } | undefined
        >;
        return [one?.action, two?.action].filter((action) => action !== undefined).length;
      });
      expect(found).to.equal(0);
    });
  });
}
