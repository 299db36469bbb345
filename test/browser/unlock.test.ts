import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openSiteScene } from './scene.ts';
import type { TestServer } from './server.ts';
import { lockVault, openPopup, PASSPHRASE, succeed } from './steps.ts';

const isUnlocking = (popup: Tab): Promise<boolean> =>
  popup.evaluate(() => document.querySelector('#unlock[aria-busy="true"]') !== null);

/** How many offscreen documents there are (Chromium). */
const offscreenDocuments = (popup: Tab): Promise<number> =>
  popup.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { runtime: { getContexts(filter: object): Promise<unknown[]> } };
    };
    const contexts = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    return contexts.length;
  });

/* Half a second and more of computing, which neither pages nor the popup notice. */
for (const browser of BROWSERS) {
  describe(`unlocking, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSiteScene(browser));
    });
    after(() => closeScene({ session, server }));
    beforeEach(() => lockVault(session));

    const beginUnlock = async (): Promise<Tab> => {
      const popup = await openPopup(session);
      await popup.type('#passphrase', PASSPHRASE);
      await popup.click('#unlock');
      return popup;
    };

    it('leaves the background free: calls are answered meanwhile', async () => {
      const popup = await beginUnlock();
      for (let call = 0; call < 3; call++) await succeed(site, 'status');
      expect(await isUnlocking(popup), 'still unlocking').to.equal(true);
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
    });

    it('can be cancelled, by keyboard too, and tried again', async () => {
      const popup = await beginUnlock();
      await popup.click('#cancel-unlock');
      await popup.waitUntil(() => document.querySelector('#cancel-unlock') === null);
      expect(await succeed(site, 'status')).to.include({ locked: true });
      expect(await popup.evaluate(() => document.activeElement?.id)).to.equal('passphrase');
      await popup.type('#passphrase', PASSPHRASE);
      await popup.press('Enter');
      await popup.waitFor('#cancel-unlock');
      await popup.press('Tab'); // to "show"
      await popup.press('Tab'); // to the busy button
      await popup.press('Tab');
      await popup.press('Enter');
      await popup.waitUntil(() => document.querySelector('#cancel-unlock') === null);
      expect(await succeed(site, 'status')).to.include({ locked: true });
      await popup.type('#passphrase', PASSPHRASE);
      await popup.press('Enter');
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
    });

    if (browser === 'chromium') {
      it('leaves no document behind', async () => {
        const popup = await beginUnlock();
        await popup.waitFor('#nav-site', 30_000);
        expect(await offscreenDocuments(popup)).to.equal(1);
        const deadline = Date.now() + 30_000;
        while ((await offscreenDocuments(popup)) > 0) {
          expect(Date.now(), 'closed in time').to.be.below(deadline);
          await new Promise((resume) => setTimeout(resume, 500));
        }
        await popup.close();
        await lockVault(session);
        const again = await beginUnlock();
        await again.waitFor('#nav-site', 30_000);
        await again.close();
      });
    }
  });
}
