import { expect } from 'chai';
import { Yielder } from '../../../src/service/calls/yielding.ts';

describe('Turns', () => {
  it('let others in when a turn is over, and not before', async () => {
    const waiting: (() => void)[] = [];
    let now = 0;
    const turns = new Yielder(
      (work) => waiting.push(work),
      () => now,
    );
    await turns.yieldIfDue();
    now = 0.29;
    await turns.yieldIfDue();
    expect(waiting).to.have.length(0);
    now = 0.31;
    let isOver = false;
    const breath = turns.yieldIfDue().then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).to.equal(false);
    now = 5;
    waiting[0]!();
    await breath;
    now = 5.2;
    await turns.yieldIfDue();
    expect(waiting).to.have.length(1);
  });
});
