import { expect } from 'chai';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { InFlightCalls } from '../../../src/service/calls/in-flight.ts';

const REASON = new SealwrightError('NOT_GRANTED', 'gone');
const never = (): Promise<never> => new Promise(() => undefined);

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  );
}

describe('Calls in flight', () => {
  it('give their result when nothing ends them', async () => {
    const inFlightCalls = new InFlightCalls();
    const result = await inFlightCalls.run('g', new AbortController().signal, () =>
      Promise.resolve(7),
    );
    expect(result).to.equal(7);
  });

  it('end at once with their grant, though the work goes on', async () => {
    const inFlightCalls = new InFlightCalls();
    let seen: AbortSignal | undefined;
    const inFlightCall = inFlightCalls.run('g', new AbortController().signal, (signal) => {
      seen = signal;
      return never();
    });
    inFlightCalls.endGrants(['g'], REASON);
    expect(await rejection(inFlightCall)).to.equal(REASON);
    expect(seen?.aborted).to.equal(true);
  });

  it('of other grants go on', async () => {
    const inFlightCalls = new InFlightCalls();
    const work = Promise.resolve('done');
    const inFlightCall = inFlightCalls.run('other', new AbortController().signal, () => work);
    inFlightCalls.endGrants(['g'], REASON);
    expect(await inFlightCall).to.equal('done');
  });

  it('all end on lock', async () => {
    const inFlightCalls = new InFlightCalls();
    const both = ['a', 'b'].map((id) => inFlightCalls.run(id, new AbortController().signal, never));
    inFlightCalls.endAll(REASON);
    expect(await Promise.all(both.map(rejection))).to.deep.equal([REASON, REASON]);
  });

  it('end with the caller, and do not start for one that is gone', async () => {
    const inFlightCalls = new InFlightCalls();
    const caller = new AbortController();
    const inFlightCall = inFlightCalls.run('g', caller.signal, never);
    caller.abort();
    expect(await rejection(inFlightCall)).to.have.property('name', 'AbortError');
    let started = false;
    const late = inFlightCalls.run('g', caller.signal, () => {
      started = true;
      return never();
    });
    expect(await rejection(late)).to.have.property('name', 'AbortError');
    expect(started).to.equal(false);
  });

  it('do not hand out a result that came after the end', async () => {
    const inFlightCalls = new InFlightCalls();
    let finish!: (value: string) => void;
    const work = new Promise<string>((resolve) => (finish = resolve));
    const inFlightCall = inFlightCalls.run('g', new AbortController().signal, () => work);
    inFlightCalls.endGrants(['g'], REASON);
    finish('too late');
    expect(await rejection(inFlightCall)).to.equal(REASON);
  });
});
