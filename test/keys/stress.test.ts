import { expect } from 'chai';
import { forgeries } from './forgeries.ts';
import { chooser, corruptions, deathsAtEachStep, quota, randomDeaths } from './stress.ts';
import type { StressResult } from './stress.ts';

/* A sample of `npm run stress`, with a seed of its own each time. */
describe('the stress test of the vault (sample)', function () {
  this.timeout(60_000);
  const seed = Date.now() >>> 0;
  const choose = chooser(seed);

  const STRESS_TESTS: Record<string, [number, () => Promise<StressResult>]> = {
    'the worker dies at every fourth step': [
      75,
      () => deathsAtEachStep(1, { every: 4, first: 1 + choose(4) }),
    ],
    'the worker dies at random moments': [50, () => randomDeaths(50, choose)],
    'values are damaged': [150, () => corruptions(150, choose)],
    'values are forged in one store': [50, () => forgeries(50, choose)],
    'the primary store is full': [10, () => quota(10, 'primary', choose)],
    'the copy is full': [10, () => quota(10, 'copy', choose)],
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
