import { expect } from 'chai';
import type { Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import type { Scene } from './scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from './shared-scene.ts';
import { SEAL_AND_OPEN } from './steps.ts';

/* What a page does to have its user allow what was not read. */

/** In the page. */
interface Game {
  asked?: Promise<string>;
}

/** In the prompt, whose clock the test sets: how fast clicks come does not depend on the machine. */
interface Clock {
  now: number;
}

const RATES = [2, 4, 8, 20];
/** Longer than the wait that a press of an unarmed window starts. */
const QUIET = 1_000;
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

for (const browser of BROWSERS) {
  describe(`the prompt, in ${browser}`, () => {
    let scene: Scene & { readonly site: Tab };

    before(async () => {
      scene = await openSharedSiteScene(browser);
    });
    after(() => closeSharedSiteScene(scene));

    it('is not allowed by clicks that go on, at 2, 4, 8 and 20 Hz, but after a pause', async () => {
      const { session, site } = scene;
      // A game: the third click asks, and the fourth and all others are meant for the prompt.
      await site.evaluate((request) => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { connect(request: object): Promise<unknown> };
        };
        let clicks = 0;
        addEventListener('click', () => {
          clicks++;
          if (clicks !== 3) return;
          (globalThis as Game).asked = sealwright.connect(request).then(
            () => 'allowed',
            () => 'refused',
          );
        });
      }, SEAL_AND_OPEN);
      for (let click = 0; click < 3; click++) {
        await site.clickAt(200, 200);
        await pause(1000 / 8);
      }
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow');
      await prompt.evaluate(() => {
        const clock = globalThis as unknown as Clock;
        clock.now = performance.now();
        performance.now = () => clock.now;
        dispatchEvent(new Event('resize')); // as if it came to the front only now
      });
      const outcome = () =>
        site.evaluate(() => Promise.race([(globalThis as Game).asked, Promise.resolve('open')]));
      /** Where the button is after this time: a slow machine lays a new window out more than once. */
      const pass = (ms: number) =>
        prompt
          .evaluate((passed) => {
            const clock = globalThis as unknown as Partial<Clock>;
            if (clock.now === undefined) throw new Error('the prompt was loaded anew');
            clock.now += passed;
            const { left, top, width, height } = document
              .querySelector('#allow')!
              .getBoundingClientRect();
            return [left + width / 2, top + height / 2] as const;
          }, ms)
          .catch(async (error: unknown) => {
            throw new Error(`${String(error)}; the page's request is ${await outcome()}`);
          });
      // The last click in the page was before the window came to the front.
      await pass(-1);
      for (const rate of RATES) {
        for (let click = 0; click < rate + 4; click++) {
          await pause(1000 / rate);
          await prompt.clickAt(...(await pass(1000 / rate)));
          expect(await outcome(), `${rate} Hz, click ${click}`).to.equal('open');
          expect(await session.countTabs('prompt.html'), `${rate} Hz, click ${click}`).to.equal(1);
        }
      }
      await prompt.waitFor('#arming-hint:not(:empty)');
      const button = await pass(QUIET);
      await prompt.waitFor('#allow[aria-disabled="false"]');
      await prompt.clickAt(...button);
      expect(await site.evaluate(() => (globalThis as Game).asked)).to.equal('allowed');
    });
  });
}
