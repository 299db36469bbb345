import { expect } from 'chai';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { PAGE_WORK, PageWork } from '../../../src/service/calls/page-work.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { FakeTimers, settled } from '../../support/service-fakes.ts';

const A = 'https://a.example';
const B = 'https://b.example';

/** Works that a test ends by hand; like a worker, one ends with its signal. */
function setUp() {
  const timers = new FakeTimers();
  const works = new PageWork({ later: setImmediate, timers });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (origin: string, name: string, signal = new AbortController().signal) =>
    works
      .run({ origin, signal }, (ending) => {
        began.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, () => resolve(`${name} done`));
          ending.addEventListener('abort', () => reject(ending.reason as Error));
        });
      })
      .catch((error: unknown) =>
        error instanceof SealwrightError ? error.code : (error as Error).message,
      );
  return { timers, began, ends, ask };
}

describe('Work of pages', () => {
  it('runs once of an origin and twice in all, and origins take turns', async () => {
    const { ask, began, ends } = setUp();
    const all = [
      ask(A, 'a1'),
      ask(A, 'a2'),
      ask(A, 'a3'),
      ask(B, 'b1'),
      ask('https://c.example', 'c'),
    ];
    await settled();
    expect(began).to.deep.equal(['a1', 'b1']);
    ends.get('a1')!();
    await settled();
    expect(began).to.deep.equal(['a1', 'b1', 'a2']);
    ends.get('b1')!();
    await settled();
    expect(began).to.deep.equal(['a1', 'b1', 'a2', 'c']);
    for (const name of ['a2', 'c', 'a3']) {
      ends.get(name)!();
      await settled();
    }
    expect(await Promise.all(all)).to.deep.equal(
      ['a1', 'a2', 'a3', 'b1', 'c'].map((name) => `${name} done`),
    );
  });

  it('ends at once when its call is aborted, and frees its place', async () => {
    const { ask, began } = setUp();
    const controller = new AbortController();
    const running = ask(A, 'first', controller.signal);
    const waiting = ask(A, 'second');
    await settled();
    controller.abort(new Error('locked'));
    expect(await running).to.equal('locked');
    await settled();
    expect(began).to.deep.equal(['first', 'second']);
    void waiting;
  });

  it('does not begin when its call was aborted before, or while it waits', async () => {
    const { ask, began, ends } = setUp();
    expect(await ask(A, 'never', AbortSignal.abort(new Error('gone')))).to.equal('gone');
    const controller = new AbortController();
    const first = ask(A, 'first');
    const waiting = ask(A, 'waiting', controller.signal);
    await settled();
    controller.abort(new Error('left'));
    expect(await waiting).to.equal('left');
    ends.get('first')!();
    await first;
    await settled();
    expect(began).to.deep.equal(['first']);
  });

  it('keeps nothing of a work that was aborted while it waits', async () => {
    const works = new PageWork({ later: setImmediate, timers: new FakeTimers() });
    const never = () => new Promise<never>(() => undefined);
    void works.run({ origin: A, signal: new AbortController().signal }, never);
    const aborted = Array.from({ length: 20 }, () => {
      const data = new Uint8Array(1024 * 1024);
      const controller = new AbortController();
      const work = () => Promise.resolve(data);
      works.run({ origin: A, signal: controller.signal }, work).catch(() => undefined);
      controller.abort(new Error('left'));
      return new WeakRef(data);
    });
    await settled();
    collectGarbage();
    expect(aborted.filter((data) => data.deref() !== undefined)).to.deep.equal([]);
  });

  it('is stopped at the deadline, with INTERNAL', async () => {
    const { ask, timers } = setUp();
    const running = ask(A, 'long');
    await settled();
    timers.goOff();
    expect(await running).to.equal('INTERNAL');
  });

  it('is refused with QUOTA where too many wait; those that left do not count', async () => {
    const { ask, ends } = setUp();
    const first = ask(A, 'first');
    await settled();
    const controllers = Array.from({ length: PAGE_WORK.waiting }, () => new AbortController());
    const waiting = controllers.map(({ signal }) => ask(A, 'waiting', signal));
    expect(await ask(A, 'too many')).to.equal('QUOTA');
    for (const controller of controllers) controller.abort(new Error('left'));
    await Promise.all(waiting);
    const next = ask(A, 'next');
    ends.get('first')!();
    await first;
    await settled();
    ends.get('next')!();
    expect(await next).to.equal('next done');
  });
});
