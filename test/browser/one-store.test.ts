import { expect } from 'chai';
import type { BrowserSession } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { createVault, lockVault, openPopup, unlockVault } from './steps.ts';

/* Only Firefox can be told to have no IndexedDB. */
for (const browser of BROWSERS.filter((name) => name === 'firefox')) {
  describe(`without IndexedDB, in ${browser}`, () => {
    let session: BrowserSession;

    before(async () => {
      session = await launch(browser, { indexedDb: false });
    });
    after(() => session.close());

    it('begins as everywhere, and says that there is one copy', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#create-vault');
      await popup.waitFor('#one-copy');
      expect(await popup.evaluate(() => typeof indexedDB)).to.equal('undefined');
      await popup.close();
    });

    it('makes, locks and opens a vault, and urges a backup', async () => {
      const popup = await createVault(session);
      await popup.waitFor('#one-copy #open-backup');
      await popup.close();
      await lockVault(session);
      await session.killBackground();
      await unlockVault(session);
    });
  });
}
