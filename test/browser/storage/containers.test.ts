import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openSiteScene, type Scene } from '../scene.ts';
import { bytes, connect, refusal, succeed } from '../steps.ts';

/* Firefox's containers are separate people: what one may do, the other may not. Chromium has none. */
for (const browser of BROWSERS.filter((name) => name === 'firefox')) {
  describe(`containers, in ${browser}`, () => {
    let scene: Scene & { readonly site: Tab };

    before(async () => {
      scene = await openSiteScene(browser);
      await connect(scene.session, scene.site);
    });
    after(() => closeScene(scene));

    it('have grants of their own', async () => {
      const { session, server, site } = scene;
      const openInContainer = await session.newContainer!();
      const apart = await openInContainer(`${server.origin}/blank.html?container`);
      await apart.waitUntil(() => 'sealwright' in globalThis);
      expect(await succeed(apart, 'grants')).to.deep.equal([]);
      expect(await refusal(apart, 'seal', bytes(1))).to.equal('NOT_GRANTED');
      await connect(session, apart);
      expect(await refusal(apart, 'seal', bytes(1))).to.equal('none');
      await succeed(site, 'revoke');
      expect(await refusal(site, 'seal', bytes(1))).to.equal('NOT_GRANTED');
      expect(await refusal(apart, 'seal', bytes(1))).to.equal('none');
      await apart.close();
    });
  });
}
