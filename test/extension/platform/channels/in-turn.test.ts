import { expect } from 'chai';
import fc from 'fast-check';
import { InTurn } from '../../../../extension/platform/channels/in-turn.ts';

describe('messages in turn', () => {
  it('are given out in the order of their numbers, in whatever order they come', () => {
    const orders = fc.shuffledSubarray(
      Array.from({ length: 12 }, (_, i) => i),
      { minLength: 12 },
    );
    fc.assert(
      fc.property(orders, (order) => {
        const given: unknown[] = [];
        const inTurn = new InTurn((message) => given.push(message));
        for (const turn of order) inTurn.take(turn, `message ${turn}`);
        expect(given).to.deep.equal(order.map((_, i) => `message ${i}`));
      }),
    );
  });

  it('are given once, and only under a number that is still to come', () => {
    const given: unknown[] = [];
    const inTurn = new InTurn((message) => given.push(message));
    inTurn.take(0, 'first');
    for (const turn of [0, -1, 0.5, NaN, '1', null, undefined, {}]) inTurn.take(turn, 'wrong');
    inTurn.take(2, 'third');
    expect(given).to.deep.equal(['first']);
    inTurn.take(1, undefined);
    expect(given).to.deep.equal(['first', undefined, 'third']);
  });

  it('are complete when as many were given out as were sent', () => {
    const inTurn = new InTurn(() => undefined);
    expect(inTurn.isComplete(0)).to.equal(true);
    for (const turn of [0, 2]) inTurn.take(turn, turn);
    expect([1, 2, 3, '1'].map((sent) => inTurn.isComplete(sent))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });

  it('may lead to others while they are given out', () => {
    const given: unknown[] = [];
    const inTurn = new InTurn((message) => {
      given.push(message);
      if (message === 0) for (const turn of [2, 1]) inTurn.take(turn, turn);
    });
    inTurn.take(0, 0);
    expect(given).to.deep.equal([0, 1, 2]);
  });
});
