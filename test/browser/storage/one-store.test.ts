import { expect } from 'chai';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { createVault, lockVault, openPopup, unlockVault } from '../steps.ts';

for (const browser of BROWSERS) {
  describe(`a profile without IndexedDB, in ${browser}`, () => {
    let session: BrowserSession;

    // Without hosts: the driver installs it once, as a person does, and not over itself.
    before(async () => {
      session = await launch(browser, { brokenIndexedDb: true, allowedHosts: [] });
    });
    after(() => session.close());

    it('begins as everywhere, and says that there is one copy', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#finish-setup');
      await popup.waitFor('#one-copy');
      const error = await popup.evaluate(
        () =>
          new Promise<string>((resolve) => {
            const request = indexedDB.open('sealwright', 1);
            request.onsuccess = () => resolve('none');
            request.onerror = () => resolve(request.error!.name);
          }),
      );
      expect(error, 'the profile is as broken as it should be').to.equal('UnknownError');
      await popup.close();
    });

    it('makes, locks and opens a vault, and urges a backup', async () => {
      await createVault(session);
      const popup = await openPopup(session);
      await popup.waitFor('#one-copy #open-backup');
      await popup.close();
      await lockVault(session);
      await session.killBackground();
      await unlockVault(session);
    });
  });
}
