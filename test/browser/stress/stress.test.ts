import { expect } from 'chai';
import { BROWSERS } from '../drivers/launch.ts';
import { openVaultScene, type Scene } from '../scene.ts';
import { floods } from './floods.ts';
import { manyTabs } from './many-tabs.ts';
import { reloads } from './reloads.ts';
import { revocations } from './revocations.ts';
import { searchProfile } from './search-profile.ts';

/* A sample of `npm run stress -- browsers`, which runs them at full size. */
for (const browser of BROWSERS) {
  describe(`stress, in ${browser}`, () => {
    let scene: Scene;

    before(async () => {
      scene = await openVaultScene(browser);
    });
    after(() => scene.server.close());

    it('of revocations under calls in flight: nothing is answered after a refusal', async () => {
      const { failures, ms } = await revocations(scene.session, scene.server, 2);
      console.log(`      ${ms.join(', ')} ms from the click to the last answer or refusal`);
      expect(failures).to.deep.equal([]);
    });

    it('of tabs that ask, call and are revoked at once: one key, no use lost', async () => {
      const { failures } = await manyTabs(scene.session, scene.server, { tabs: 4, calls: 100 });
      expect(failures).to.deep.equal([]);
    });

    it('of reloads under open tabs: pages go on, and nothing throws', async () => {
      const { failures } = await reloads(scene.session, scene.server, { tabs: 4, reloads: 3 });
      expect(failures).to.deep.equal([]);
    });

    it('of floods: others go on, one question is asked, and memory is bounded', async () => {
      const sizes = { calls: 5_000, large: 8, questions: 1_000 };
      const { failures, extraMib } = await floods(scene.session, scene.server, sizes);
      console.log(`      ${extraMib} MiB more at the worst`);
      expect(failures).to.deep.equal([]);
    });

    it('and a crash leave nothing in the profile that is not sealed', async function () {
      this.timeout(300_000);
      const { failures } = await searchProfile(scene.session, scene.server);
      expect(failures).to.deep.equal([]);
    });
  });
}
