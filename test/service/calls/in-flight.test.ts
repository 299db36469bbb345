import { expect } from 'chai';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { Flights } from '../../../src/service/calls/in-flight.ts';

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
    const flights = new Flights();
    const result = await flights.run('g', new AbortController().signal, () => Promise.resolve(7));
    expect(result).to.equal(7);
  });

  it('end at once with their grant, though the work goes on', async () => {
    const flights = new Flights();
    let seen: AbortSignal | undefined;
    const flight = flights.run('g', new AbortController().signal, (signal) => {
      seen = signal;
      return never();
    });
    flights.endGrants(['g'], REASON);
    expect(await rejection(flight)).to.equal(REASON);
    expect(seen?.aborted).to.equal(true);
  });

  it('of other grants go on', async () => {
    const flights = new Flights();
    const work = Promise.resolve('done');
    const flight = flights.run('other', new AbortController().signal, () => work);
    flights.endGrants(['g'], REASON);
    expect(await flight).to.equal('done');
  });

  it('all end on lock', async () => {
    const flights = new Flights();
    const both = ['a', 'b'].map((id) => flights.run(id, new AbortController().signal, never));
    flights.endAll(REASON);
    expect(await Promise.all(both.map(rejection))).to.deep.equal([REASON, REASON]);
  });

  it('end with the caller, and do not start for one that is gone', async () => {
    const flights = new Flights();
    const caller = new AbortController();
    const flight = flights.run('g', caller.signal, never);
    caller.abort();
    expect(await rejection(flight)).to.have.property('name', 'AbortError');
    let started = false;
    const late = flights.run('g', caller.signal, () => {
      started = true;
      return never();
    });
    expect(await rejection(late)).to.have.property('name', 'AbortError');
    expect(started).to.equal(false);
  });

  it('do not hand out a result that came after the end', async () => {
    const flights = new Flights();
    let finish!: (value: string) => void;
    const work = new Promise<string>((resolve) => (finish = resolve));
    const flight = flights.run('g', new AbortController().signal, () => work);
    flights.endGrants(['g'], REASON);
    finish('too late');
    expect(await rejection(flight)).to.equal(REASON);
  });
});
