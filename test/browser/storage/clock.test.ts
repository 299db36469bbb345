import { expect } from 'chai';
import { browserClock, type BrowserClock } from '../drivers/clock.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  connect,
  openEnabledSite,
  refusal,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
} from '../steps.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEARS = 3_652 * DAY;
/** Ahead of the machine's clock, one after the other. */
const JUMPS = [DAY, 0, 10 * DAY, YEARS, 0, -YEARS, -DAY, 0];
const STEPS_OF_A_DAY = 8;
const CALLS = 40;
const HEADER_BYTES = 24;
const SALT_BYTES = 24;

/* The clock of the browser is set forward and back, and the machine's is left alone. */
for (const browser of BROWSERS) {
  describe(`a browser whose clock is set, in ${browser}`, function () {
    this.timeout(600_000);
    let clock: BrowserClock;
    let scene: Scene;
    let site: Tab;
    /** Of the extension, in the process of the background. */
    let own: Tab;

    before(async () => {
      clock = await browserClock(browser);
      scene = await openVaultScene(browser, clock.options);
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html`);
      own = await scene.session.newTab(scene.session.extensionUrl('manager.html#about'));
    });

    after(async () => {
      await closeScene(scene);
      await clock.remove();
    });

    const isLocked = async () => ((await succeed(site, 'status')) as { locked: boolean }).locked;
    const connectFor = (expiresInMs: number) =>
      connect(scene.session, site, { ...SEAL_AND_OPEN, expiresInMs });
    const saltOf = async (): Promise<string> => {
      const { $bytes } = (await succeed(site, 'seal', { $bytes: [1] })) as { $bytes: number[] };
      return $bytes.slice(HEADER_BYTES, HEADER_BYTES + SALT_BYTES).join();
    };

    it('locks the vault at each jump, revives no grant, repeats no salt and opens what was sealed', async () => {
      await connectFor(HOUR);
      const sealed = await succeed(site, 'sealText', 'sealed before');
      const salts = [await saltOf()];
      for (const ahead of JUMPS) {
        await clock.set(own, ahead);
        expect(await isLocked(), `locked at ${ahead} ms`).to.equal(true);
        await unlockVault(scene.session);
        // Its hour is over at the first jump, or the clock was set back: it never has more left.
        const code = await refusal(site, 'openText', sealed);
        expect(['none', 'EXPIRED'], `at ${ahead} ms`).to.include(code);
        if (ahead === DAY || ahead > HOUR) expect(code, `at ${ahead} ms`).to.equal('EXPIRED');
        if (code === 'EXPIRED') {
          await clock.set(own, ahead - 2 * HOUR);
          await unlockVault(scene.session);
          expect(await refusal(site, 'openText', sealed), 'set back').to.equal('EXPIRED');
          await connectFor(HOUR);
        }
        expect(await succeed(site, 'openText', sealed)).to.equal('sealed before');
        salts.push(await saltOf());
      }
      expect(new Set(salts).size, 'salts').to.equal(salts.length);
    });

    it('answers all calls of a day, of which each hour locks the vault', async () => {
      await clock.set(own, 0);
      await unlockVault(scene.session);
      await connectFor(DAY);
      const sealed = await succeed(site, 'sealText', 'in the morning');
      for (let step = 1; step < STEPS_OF_A_DAY; step++) {
        await clock.set(own, (step * DAY) / STEPS_OF_A_DAY);
        expect(await isLocked(), `step ${step}`).to.equal(true);
        await unlockVault(scene.session);
        const opened = await site.evaluate(
          (calls, text) => {
            const { sealwright } = globalThis as unknown as {
              sealwright: { openText(text: string): Promise<string> };
            };
            return Promise.all(Array.from({ length: calls }, () => sealwright.openText(text)));
          },
          CALLS,
          sealed as string,
        );
        expect(new Set(opened)).to.deep.equal(new Set(['in the morning']));
      }
      await clock.set(own, DAY);
      await unlockVault(scene.session);
      expect(await refusal(site, 'openText', sealed)).to.equal('EXPIRED');
      expect(scene.session.uncaught).to.deep.equal([]);
    });
  });
}
