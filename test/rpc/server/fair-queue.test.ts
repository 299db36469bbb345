import { expect } from 'chai';
import fc from 'fast-check';
import { FairQueue } from '../../../src/rpc/server/fair-queue.ts';

/** A queue with a clock and a task queue that the test controls. */
function setUp() {
  const later: (() => void)[] = [];
  const state = { now: 0 };
  const queue = new FairQueue(
    (work) => later.push(work),
    () => state.now,
  );
  const began: string[] = [];
  const leaves: (() => void)[] = [];
  const add = (group: string, name = group): (() => boolean) =>
    queue.add(group, (leave) => {
      began.push(name);
      leaves.push(leave);
    });
  return { queue, state, later, began, leaves, add };
}

describe('FairQueue', () => {
  it('begins at once if nothing else runs', () => {
    const { add, began, later } = setUp();
    add('a');
    expect(began).to.deep.equal(['a']);
    expect(later).to.have.length(0);
  });

  it('alternates the groups, and each group’s work in its order', () => {
    const { add, began, leaves } = setUp();
    for (let i = 0; i < 6; i++) add('a', `a${i}`);
    for (let i = 0; i < 5; i++) add('b', `b${i}`);
    expect(began).to.deep.equal(['a0', 'a1', 'b0', 'b1']);
    leaves[2]!();
    leaves[0]!();
    expect(began.slice(4)).to.deep.equal(['b2', 'a2']);
  });

  it('runs no more at once than its limits, of a group and in all', () => {
    const began: string[] = [];
    const leaves: (() => void)[] = [];
    const queue = new FairQueue(
      (work) => work(),
      () => 0,
      { ofGroup: 1, inAll: 2 },
    );
    for (const name of ['a', 'a', 'b', 'c']) {
      queue.add(name, (leave) => {
        began.push(name);
        leaves.push(leave);
      });
    }
    expect(began).to.deep.equal(['a', 'b']);
    leaves[1]!();
    expect(began).to.deep.equal(['a', 'b', 'c']);
    leaves[0]!();
    expect(began).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('yields to other messages after a time slice', () => {
    const { add, began, leaves, later, state } = setUp();
    for (let i = 0; i < 9; i++) add('a', `a${i}`);
    state.now = 0.4;
    leaves[0]!();
    expect(began).to.have.length(2);
    add('b');
    later.shift()!();
    expect(began.slice(2)).to.deep.equal(['b', 'a2']);
  });

  it('runs any amount of work that ends as soon as it begins', () => {
    const { queue } = setUp();
    const release = queue.hold();
    let ended = 0;
    const work = (leave: () => void): void => {
      ended++;
      leave();
    };
    for (let i = 0; i < 50_000; i++) queue.add(i % 2 ? 'a' : 'b', work);
    release();
    expect(ended).to.equal(50_000);
  });

  it('takes out work that has not begun, and says whether it did', () => {
    const { queue } = setUp();
    const began: string[] = [];
    const leaves: (() => void)[] = [];
    const add = (name: string) =>
      queue.add('a', (leave) => {
        began.push(name);
        leaves.push(leave);
      });
    const [first, , third] = ['1', '2', '3', '4'].map(add);
    expect([first!(), third!(), third!()]).to.deep.equal([false, true, false]);
    leaves[0]!();
    expect(began).to.deep.equal(['1', '2', '4']);
  });

  it('begins nothing while it is held, and then continues', () => {
    const { queue, add, began, leaves, later, state } = setUp();
    for (let i = 0; i < 4; i++) add('a', `a${i}`);
    const [one, two] = [queue.hold(), queue.hold()];
    leaves[0]!();
    add('b');
    expect(began).to.have.length(2);
    one();
    one();
    expect(began).to.have.length(2);
    two();
    expect(began.slice(2)).to.deep.equal(['b', 'a2']);
    const third = queue.hold();
    state.now = 0.4;
    leaves[1]!();
    later.shift()?.();
    expect(began).to.have.length(4);
    third();
    later.shift()?.();
    expect(began.slice(4)).to.deep.equal(['a3']);
  });

  it('ignores a second leave', () => {
    const { add, began, leaves } = setUp();
    for (let i = 0; i < 8; i++) add('a', `a${i}`);
    leaves[0]!();
    leaves[0]!();
    expect(began).to.have.length(3);
  });

  it('begins everything once, in the order of its group, however it ends', () => {
    const steps = fc.array(
      fc.record({
        group: fc.constantFrom('a', 'b', 'c'),
        leave: fc.nat(20),
        passesMs: fc.constantFrom(0, 0.1, 1),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const { add, began, leaves, later, state } = setUp();
        for (const [i, { group, leave, passesMs }] of list.entries()) {
          add(group, `${group} ${i}`);
          state.now += passesMs;
          leaves[leave % leaves.length]?.();
          if (passesMs === 1) later.shift()?.();
        }
        while (began.length < list.length) {
          leaves.forEach((leave) => leave());
          later.shift()?.();
        }
        for (const group of ['a', 'b', 'c']) {
          const places = began.filter((name) => name.startsWith(group)).map((n) => +n.slice(2));
          expect(places).to.deep.equal([...places].sort((a, b) => a - b));
        }
        expect(new Set(began).size).to.equal(list.length);
      }),
    );
  });
});
