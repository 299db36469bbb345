import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { postQuantum } from '../in-page/subtle-post-quantum.ts';
import type { TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';

/* The methods and key types of the WICG draft, X448 and Ed448 in pages, beside the page's own crypto.subtle where that has them. */
for (const browser of BROWSERS) {
  describe(`post-quantum keys, X448 and Ed448 of sealwright.subtle, in ${browser}`, function () {
    this.timeout(180_000);
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ server, site } = await openSharedSiteScene(browser));
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('do what the draft says, and agree with the browser’s own', async () => {
      const { faults, compared } = await site.evaluate(postQuantum);
      expect(faults).to.deep.equal([]);
      expect(compared).to.include.members(
        browser === 'chromium' ? ['ML-KEM-768', 'MLKEM768-X25519', 'ML-DSA-65'] : [],
      );
    });
  });
}
