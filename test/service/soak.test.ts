import { expect } from 'chai';
import { soak } from './soak.ts';

/* A sample of `npm run soak`; memory says nothing after so few calls. */
describe('The soak', function () {
  this.timeout(120_000);

  it('loses nothing in mixed calls with deaths, locks, clock jumps and full stores', async () => {
    const { failures, counts } = await soak({ calls: 600, seed: 4, collect: () => undefined });
    expect(failures).to.deep.equal([]);
    expect(counts).to.include.keys('ok', 'deaths', 'locks', 'clock jumps', 'full stores');
  });
});
