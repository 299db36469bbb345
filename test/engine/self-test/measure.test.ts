import { expect } from 'chai';
import { measure, median } from '../../../src/engine/self-test/measure.ts';

describe('measure', () => {
  it('is the middle value, or the mean of the two middle ones', () => {
    expect(median([3, 1, 2])).to.equal(2);
    expect(median([4, 1, 3, 2])).to.equal(2.5);
    expect(median([7])).to.equal(7);
  });

  it('alternates the candidates, and begins each round with another one', async () => {
    const turns: string[] = [];
    const candidate = (name: string) => ({ run: () => turns.push(name), first: 0 });
    const timings = await measure([candidate('a'), candidate('b')], { rounds: 2, minimumMs: 0 });
    // One call each to calibrate, then two rounds.
    expect(turns.join('')).to.equal('ab' + 'ab' + 'ba');
    expect(timings.map(({ rounds }) => rounds.length)).to.deep.equal([2, 2]);
  });

  it('waits for promises within the timing', async () => {
    const run = () => new Promise((resume) => setTimeout(resume, 20));
    const [timing] = await measure([{ run, first: 0.02 }], { rounds: 1, minimumMs: 1 });
    expect(timing!.median).to.be.greaterThan(0.015);
  });

  it('does not repeat slow calls, and runs few rounds of rather slow ones', async () => {
    let calls = 0;
    const run = () => calls++;
    const options = { rounds: 5, minimumMs: 0 };
    const [endless] = await measure([{ run, first: 37 }], options);
    expect(calls).to.equal(0);
    expect(endless!.median).to.equal(37);
    const [long] = await measure([{ run, first: 0.5 }], options);
    expect(long!.rounds).to.have.length(3);
  });

  it('drops timings that are too short for the clock, also after code became faster', async () => {
    let clock = 0;
    let calls = 0;
    // A millisecond each at first, a hundredth of that later. The clock shows whole milliseconds.
    const run = () => {
      clock += calls++ < 8 ? 1 : 0.01;
    };
    const now = () => Math.floor(clock);
    const [timing] = await measure([{ run, first: 0 }], { rounds: 3, minimumMs: 5 }, { now });
    expect(timing!.median * 1000).to.be.closeTo(0.01, 0.002);
  });

  it('pauses before each timing, and rejects with an error of the pause', async () => {
    let pauses = 0;
    const pause = () => (++pauses > 3 ? Promise.reject(new Error('enough')) : Promise.resolve());
    const all = [{ run: () => 0, first: 0 }];
    const attempt = measure(all, { rounds: 9, minimumMs: 0 }, { pause }).catch(String);
    expect(await attempt).to.equal('Error: enough');
    expect(pauses).to.equal(4);
  });

  it('runs each candidate for the warm-up time before it is timed', async () => {
    let clock = 0;
    const calls: number[] = [];
    const run = () => void calls.push(clock++);
    const options = { rounds: 1, minimumMs: 1, warmUpMs: 10 };
    await measure([{ run, first: 0 }], options, { now: () => clock });
    expect(calls).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
