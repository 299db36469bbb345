import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { serve, type TestServer } from './server.ts';
import { bytes, call, createVault, openEnabledSite, refusal, succeed } from './steps.ts';

/* What keys do for a page besides sealing, in real browsers. */
for (const browser of BROWSERS) {
  describe(`keys of a page, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      [session, server] = await Promise.all([launch(browser), serve('test/browser/fixtures')]);
      await (await createVault(session)).close();
      site = await openEnabledSite(session, `${server.origin}/blank.html`);
    });

    after(async () => {
      await session.close();
      await server.close();
    });

    it('mark data and find values, after a warning of what an index gives away', async () => {
      const capabilities = ['mac', 'blindIndex'];
      const asked = call(site, 'connect', { purpose: 'Search your notes', capabilities });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#index-warning');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      await prompt.click('#allow');
      expect((await asked).ok).to.equal(true);

      const tag = await succeed(site, 'mac', bytes(1, 2, 3));
      expect(await succeed(site, 'verifyMac', bytes(1, 2, 3), tag)).to.equal(true);
      expect(await succeed(site, 'verifyMac', bytes(1, 2), tag)).to.equal(false);
      const index = (await succeed(site, 'blindIndex', 'Ada', 'name')) as { $bytes: number[] };
      expect(index.$bytes).to.have.length(32);
      expect(await succeed(site, 'blindIndex', 'Ada', 'name')).to.deep.equal(index);
      expect(await succeed(site, 'blindIndex', 'Ada', 'town')).to.not.deep.equal(index);
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
    });
  });
}
