import { expect } from 'chai';
import { forgeries } from './forgeries.ts';
import { chooser, corruptions, deathsAtEachStep, quota, randomDeaths } from './stress.ts';
import type { StressResult } from './stress.ts';
import { inDepth } from '../support/depth.ts';

/* A sample of `npm run stress`, with a seed of its own each time; a smaller one in `npm test`. */
const EVERY = inDepth(4, 20);
const TRIALS = inDepth(50, 12);
const FULL_STORES = inDepth(10, 3);

describe('the stress test of the vault (sample)', function () {
  this.timeout(60_000);
  const seed = Date.now() >>> 0;
  const choose = chooser(seed);

  const STRESS_TESTS: Record<string, [number, () => Promise<StressResult>]> = {
    [`the worker dies at every ${EVERY}th step`]: [
      300 / EVERY,
      () => deathsAtEachStep(1, { every: EVERY, first: 1 + choose(EVERY) }),
    ],
    'the worker dies at random moments': [TRIALS, () => randomDeaths(TRIALS, choose)],
    'values are damaged': [3 * TRIALS, () => corruptions(3 * TRIALS, choose)],
    'values are forged in one store': [TRIALS, () => forgeries(TRIALS, choose)],
    'the primary store is full': [FULL_STORES, () => quota(FULL_STORES, 'primary', choose)],
    'the copy is full': [FULL_STORES, () => quota(FULL_STORES, 'copy', choose)],
  };
  for (const [title, [atLeast, run]] of Object.entries(STRESS_TESTS)) {
    it(`${title}: nothing is lost, nothing half applied`, async () => {
      const { trials, failures, counts } = await run();
      expect(failures, `seed ${seed}`).to.deep.equal([]);
      expect(trials, JSON.stringify(counts)).to.be.at.least(atLeast);
    });
  }

  it('chooses the same from the same seed, and everything in turn', () => {
    const [a, b] = [chooser(7), chooser(7)];
    const draw = Array.from({ length: 1000 }, () => a(10));
    expect(Array.from({ length: 1000 }, () => b(10))).to.deep.equal(draw);
    expect(new Set(draw).size).to.equal(10);
  });
});
