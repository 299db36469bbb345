import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Dice } from '../../../bench/stress-engines/dice.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Scene } from '../scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { SEAL_AND_OPEN, waitForPrompts } from '../steps.ts';

/* What a page does to have its user allow what was not read. */

/** In the page. */
interface Game {
  asked?: Promise<string>;
  ask(): void;
}

/** In the prompt, whose clock the test sets: how fast clicks come does not depend on the machine. */
interface Clock {
  now: number;
}

const RATES = [2, 4, 8, 20];
/** Longer than the wait that a press of an unarmed window starts. */
const QUIET = 1_000;

const SEQUENCES = IS_NIGHTLY ? 1_000 : 12;

/** The pauses of a person who clicks on, 2 to 20 times in a second, for 1 to 3 s. */
function pausesOf(dice: Dice): readonly number[] {
  const fast = dice.integer(50, 500);
  const slow = dice.integer(fast, 500);
  const kinds = {
    even: () => fast,
    uneven: () => dice.integer(fast, slow),
    'slower and slower': (part: number) => Math.round(fast + part * (slow - fast)),
    'faster and faster': (part: number) => Math.round(slow - part * (slow - fast)),
    'pairs and a wait': (_part: number, click: number) => (click % 2 === 0 ? slow : fast),
  };
  const next = kinds[dice.pick(Object.keys(kinds) as (keyof typeof kinds)[])];
  const length = dice.integer(1_000, 3_000);
  const pauses: number[] = [];
  for (let passed = 0; passed < length; passed += pauses.at(-1)!) {
    pauses.push(next(passed / length, pauses.length));
  }
  return pauses;
}

for (const browser of BROWSERS) {
  describe(`the prompt, in ${browser}`, () => {
    let scene: Scene & { readonly site: Tab };

    before(async () => {
      scene = await openSharedSiteScene(browser);
    });
    after(() => closeSharedSiteScene(scene));

    /** Has the page ready to ask. Its request is allowed, refused, or open. */
    async function prepareToAsk(capabilities: readonly string[]): Promise<() => Promise<string>> {
      const { site } = scene;
      const request = { ...SEAL_AND_OPEN, capabilities };
      await site.evaluate((asked) => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { connect(request: object): Promise<unknown> };
        };
        const game = globalThis as Partial<Game>;
        delete game.asked;
        game.ask = () => {
          game.asked = sealwright.connect(asked).then(
            () => 'allowed',
            () => 'refused',
          );
        };
      }, request);
      return () =>
        site.evaluate(() =>
          Promise.race([(globalThis as unknown as Game).asked!, Promise.resolve('open')]),
        );
    }

    /** The prompt with a clock that stands, and what lets time pass there. */
    async function stopClock(outcome: () => Promise<string>) {
      const prompt = await scene.session.waitForTab('prompt.html');
      await prompt.waitFor('#allow');
      await prompt.evaluate(() => {
        const clock = globalThis as unknown as Clock;
        clock.now = performance.now();
        performance.now = () => clock.now;
      });
      /** Where the button is after this time: a slow machine lays a new window out more than once. */
      const pass = (ms: number, comesToFront = false) =>
        prompt
          .evaluate(
            (passed, isInFront) => {
              const clock = globalThis as unknown as Partial<Clock>;
              if (clock.now === undefined) throw new Error('the prompt was loaded anew');
              clock.now += passed;
              if (isInFront) dispatchEvent(new Event('resize')); // what starts the wait anew
              const { left, top, width, height } = document
                .querySelector('#allow')!
                .getBoundingClientRect();
              return [left + width / 2, top + height / 2] as const;
            },
            ms,
            comesToFront,
          )
          .catch(async (error: unknown) => {
            throw new Error(`${String(error)}; the page's request is ${await outcome()}`);
          });
      return { prompt, pass };
    }

    it('is not allowed by clicks that go on, at 2, 4, 8 and 20 Hz, but after a pause', async () => {
      const { session, site } = scene;
      const outcome = await prepareToAsk(SEAL_AND_OPEN.capabilities);
      // A game: the third click asks, and the fourth and all others are meant for the prompt.
      await site.evaluate(() => {
        let clicks = 0;
        addEventListener('click', () => {
          clicks++;
          if (clicks === 3) (globalThis as unknown as Game).ask();
        });
      });
      for (let click = 0; click < 3; click++) {
        await site.clickAt(200, 200);
        await pause(1000 / 8);
      }
      const { prompt, pass } = await stopClock(outcome);
      await pass(0, true);
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
      expect(await outcomeOf(site)).to.equal('allowed');
      await waitForPrompts(session, 0);
    });

    it(`is not allowed by ${SEQUENCES} sequences of clicks that began before it was in front`, async function () {
      this.timeout(40 * 60_000);
      const { site } = scene;
      const seed = String(Date.now() % 1_000_000);
      const dice = new Dice(seed);
      const outcome = await prepareToAsk([...SEAL_AND_OPEN.capabilities, 'mac']);
      await site.evaluate(() => (globalThis as unknown as Game).ask());
      const { prompt, pass } = await stopClock(outcome);
      for (let sequence = 0; sequence < SEQUENCES; sequence++) {
        const pauses = pausesOf(dice);
        // Without the quiet before, a press of the last sequence would still hold off this one.
        await pass(QUIET);
        await pass(0, true);
        // The last click in the page was before the window came to the front.
        const [first, ...rest] = pauses as [number, ...number[]];
        for (const ms of [dice.integer(0, first - 1), ...rest]) {
          await prompt.clickAt(...(await pass(ms)));
        }
        const what = `seed ${seed}, sequence ${sequence}: ${pauses.join(', ')} ms`;
        expect(await outcome(), what).to.equal('open');
      }
      await prompt.clickAt(...(await pass(QUIET)));
      expect(await outcomeOf(site)).to.equal('allowed');
    });
  });
}

const outcomeOf = (site: Tab): Promise<string> =>
  site.evaluate(() => (globalThis as unknown as Game).asked!);
