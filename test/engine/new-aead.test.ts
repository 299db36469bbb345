import { expect } from 'chai';
import { reportOf } from './fixture-run.ts';

describe('A new AEAD mode', () => {
  it('is in the self-test, subtle, the page’s dictionaries and conformance by its row', async () => {
    const { failures, passes } = await reportOf('test/engine/new-aead.fixture.ts');
    expect(failures.map(({ fullTitle, err }) => [fullTitle, err])).to.deep.equal([]);
    const suites = passes.map(({ fullTitle }) => fullTitle.replace(/ .*/, ''));
    expect(suites).to.include.members(['An', 'AES-FIXTURE']);
    expect(passes.length).to.be.greaterThan(5);
  }).timeout(60_000);
});
