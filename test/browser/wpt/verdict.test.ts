import { expect } from 'chai';
import { countsOf, surprises, unshared, type Report } from './verdict.ts';

const report = (tests: Report['tests'], status = 0): Report => ({ status, message: 'why', tests });
const expected = [{ file: /./, name: /^odd /, because: 'of a reason', inBrowserToo: true }];

describe('What the web-platform-tests come to', () => {
  it('is good when all pass but those that are expected to fail', () => {
    const good = report([
      ['one', 0, null],
      ['odd one', 1, 'wrong'],
    ]);
    expect(surprises(good, expected)).to.deep.equal([]);
    expect(countsOf(good)).to.deep.equal({ passed: 1, failed: 1 });
  });

  it('tells of each surprise', () => {
    const tests = [
      ['one', 1, 'wrong'],
      ['odd one', 0, null],
    ] as const;
    expect(surprises(report(tests), expected)).to.deep.equal([
      'failed: one: wrong',
      'passed, and ought not to: odd one',
    ]);
    expect(surprises(report([], 2), expected)).to.deep.equal([
      'the file itself: why',
      'no subtest ran',
    ]);
  });

  it('tells of a failure that the browser does not share', () => {
    const tests = [
      ['odd one', 0, null],
      ['odd two', 1, 'wrong'],
    ] as const;
    const told = ['passes in the browser itself: odd one'];
    expect(unshared(report(tests), expected)).to.deep.equal(told);
    const alone = expected.map((one) => ({ ...one, inBrowserToo: false }));
    expect(unshared(report(tests), alone)).to.deep.equal([]);
  });
});
