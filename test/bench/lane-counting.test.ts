import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { figuresOf, notCounted } from '../../bench/lane/counting.ts';
import { lane } from '../../bench/lane/suite.ts';
import { judge } from '../../bench/figures.ts';
import { resultOf } from './results.ts';

const HOURS = 'src/service/grants/opening-hours.ts';

describe('bench: what counting costs an opening', () => {
  it('is over calls of which nothing is counted, in a build that leaves that out', () => {
    const source = readFileSync(HOURS, 'utf8');
    const changed = notCounted(source);
    expect(changed.length).to.be.greaterThan(source.length);
    expect(changed).to.match(
      /note\(grant: G, .*\{\n *if \(\(grant .*\.maxPerHour === null\) return;\n/,
    );
    expect(() => notCounted('note(grant: G): void {')).to.throw(`${HOURS} has no`);
  });

  it('compares turns that were made one after the other', () => {
    // The machine was twice as slow for a while.
    const uncounted = [50, 100, 50, 50, 100];
    const counted = [51, 102, 51, 51, 602];
    const figures = figuresOf({ counted, uncounted }, 250);
    expect(figures).to.include({ calls: 250, countedMs: 1.02, uncountedMs: 1, medianRatio: 1.02 });
    expect(figures.totalRatio).to.be.closeTo(857 / 350, 1e-9);
  });

  it('is a figure of the lane, in percent', () => {
    const counting = figuresOf({ counted: [53], uncounted: [50] }, 50);
    const result = resultOf([], { kind: 'chromium', extras: { lane: { counting } as never } });
    const verdicts = judge(lane.figures, result).filter(({ figure }) =>
      figure.what.includes('maxPerHour'),
    );
    expect(verdicts).to.have.length(1);
    expect(verdicts[0]!.measured).to.be.closeTo(6, 1e-9);
    expect(verdicts[0]!.met).to.equal(false);
  });
});
