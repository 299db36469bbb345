import { expect } from 'chai';
import { Budget } from '../../../src/rpc/transport/budget.ts';

describe('a budget', () => {
  it('admits claims that fit, and the others later in order', () => {
    const budget = new Budget(10);
    const admitted: string[] = [];
    const claims = ['a', 'b', 'c'].map((name) => {
      const claim = budget.claim(6);
      claim.enter(() => admitted.push(name));
      return claim;
    });
    expect(admitted).to.deep.equal(['a']);
    claims[0]!.leave();
    expect(admitted).to.deep.equal(['a', 'b']);
    claims[1]!.leave();
    claims[1]!.leave();
    expect(admitted).to.deep.equal(['a', 'b', 'c']);
    expect(budget.heldBytes).to.equal(6);
  });

  it('admits a claim that exceeds the budget if it is alone', () => {
    let isIn = false;
    new Budget(10).claim(11).enter(() => (isIn = true));
    expect(isIn).to.equal(true);
  });

  it('drops claims that leave while they wait', () => {
    const budget = new Budget(10);
    const first = budget.claim(10);
    const second = budget.claim(10);
    const third = budget.claim(10);
    const admitted: string[] = [];
    first.enter(() => admitted.push('first'));
    second.enter(() => admitted.push('second'));
    third.enter(() => admitted.push('third'));
    second.leave();
    first.leave();
    expect(admitted).to.deep.equal(['first', 'third']);
  });

  it('counts claims of its shares, and releases all of them', () => {
    const whole = new Budget(10);
    const shares = [new Budget(8, { whole }), new Budget(8, { whole })];
    const claims = shares.map((share) => share.claim(8));
    let admitted = 0;
    for (const claim of claims) claim.enter(() => admitted++);
    expect(admitted).to.equal(1);
    claims[0]!.leave();
    expect(admitted).to.equal(2);
    claims[1]!.leave();
    expect([whole, ...shares].map((budget) => budget.heldBytes)).to.deep.equal([0, 0, 0]);
  });

  it('gives each owner its share, although another waits before it', () => {
    const whole = new Budget(12);
    const admitted: string[] = [];
    const enter = (owner: string, bytes: number) => {
      const claim = new Budget(12, { whole, owner }).claim(bytes);
      claim.enter(() => admitted.push(`${owner} ${bytes}`));
      return claim;
    };
    const greedy = enter('a', 12);
    enter('b', 7);
    enter('c', 4);
    enter('c', 1);
    expect(admitted, 'a third is the share of each of three').to.deep.equal(['a 12', 'c 4']);
    greedy.leave();
    expect(admitted).to.deep.equal(['a 12', 'c 4', 'b 7', 'c 1']);
    expect(whole.heldBytes).to.equal(12);
  });

  it('allows a claim to leave during its admission', () => {
    const budget = new Budget(10);
    const claim = budget.claim(5);
    claim.enter(() => claim.leave());
    expect(budget.heldBytes).to.equal(0);
  });
});
