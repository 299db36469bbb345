import { expect } from 'chai';
import fc from 'fast-check';
import { ReorderBuffer } from '../../../../extension/platform/channels/reorder-buffer.ts';

describe('the reorder buffer', () => {
  it('gives out messages in the order of their numbers, in whatever order they come', () => {
    const orders = fc.shuffledSubarray(
      Array.from({ length: 12 }, (_, i) => i),
      { minLength: 12 },
    );
    fc.assert(
      fc.property(orders, (order) => {
        const given: unknown[] = [];
        const buffer = new ReorderBuffer((message) => given.push(message));
        for (const turn of order) buffer.take(turn, `message ${turn}`);
        expect(given).to.deep.equal(order.map((_, i) => `message ${i}`));
      }),
    );
  });

  it('gives each out once, and only under a number that is still to come', () => {
    const given: unknown[] = [];
    const buffer = new ReorderBuffer((message) => given.push(message));
    buffer.take(0, 'first');
    for (const turn of [0, -1, 0.5, NaN, '1', null, undefined, {}]) buffer.take(turn, 'wrong');
    buffer.take(2, 'third');
    expect(given).to.deep.equal(['first']);
    buffer.take(1, undefined);
    expect(given).to.deep.equal(['first', undefined, 'third']);
  });

  it('is complete when as many were given out as were sent', () => {
    const buffer = new ReorderBuffer(() => undefined);
    expect(buffer.isComplete(0)).to.equal(true);
    for (const turn of [0, 2]) buffer.take(turn, turn);
    expect([1, 2, 3, '1'].map((sent) => buffer.isComplete(sent))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });

  it('takes others while it gives one out', () => {
    const given: unknown[] = [];
    const buffer = new ReorderBuffer((message) => {
      given.push(message);
      if (message === 0) for (const turn of [2, 1]) buffer.take(turn, turn);
    });
    buffer.take(0, 0);
    expect(given).to.deep.equal([0, 1, 2]);
  });
});
