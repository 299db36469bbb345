import { expect } from 'chai';
import { reportOf } from '../engine/fixture-run.ts';

describe('A new algorithm of subtle that is no AEAD', () => {
  it('is in known answers, subtle, the page’s dictionaries, prices and supports by five files', async () => {
    const { failures, passes } = await reportOf('test/subtle/new-algorithm.fixture.ts');
    expect(failures.map(({ fullTitle, err }) => [fullTitle, err])).to.deep.equal([]);
    expect(passes).to.have.length(6);
  }).timeout(60_000);
});
