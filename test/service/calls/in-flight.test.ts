import { expect } from 'chai';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { InFlightCalls } from '../../../src/service/calls/in-flight.ts';

const REASON = new SealwrightError('NOT_GRANTED', 'gone');
const never = (): Promise<never> => new Promise(() => undefined);

function aCaller() {
  const controller = new AbortController();
  const { signal } = controller;
  const goingOn: Promise<unknown>[] = [];
  const call = {
    signal,
    goesOn: (work: Promise<unknown>) => void goingOn.push(work),
    get isAborted() {
      return signal.aborted;
    },
  };
  return { controller, call, goingOn };
}

async function rejection(promise: unknown): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  );
}

const grant = (id: string) => ({ id, capabilities: ['open' as const] });
const G = grant('g');

describe('Calls in flight', () => {
  it('give their result when nothing ends them', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    const result = await inFlightCalls.run(G, aCaller().call, () => Promise.resolve(7));
    expect(result).to.equal(7);
  });

  it('end at once with their grant, though the work goes on', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    let seen: AbortSignal | undefined;
    const work = never();
    const { call, goingOn } = aCaller();
    const inFlightCall = inFlightCalls.run(G, call, ({ signal }) => {
      seen = signal;
      return work;
    });
    inFlightCalls.endGrants(['g'], REASON);
    expect(await rejection(inFlightCall)).to.equal(REASON);
    expect(goingOn).to.deep.equal([work]);
    expect(seen?.aborted).to.equal(true);
  });

  it('of other grants go on', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    const work = Promise.resolve('done');
    const inFlightCall = inFlightCalls.run(grant('other'), aCaller().call, () => work);
    inFlightCalls.endGrants(['g'], REASON);
    expect(await inFlightCall).to.equal('done');
  });

  it('all end on lock', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    const both = ['a', 'b'].map((id) => inFlightCalls.run(grant(id), aCaller().call, never));
    inFlightCalls.endAll(REASON);
    expect(await Promise.all(both.map(rejection))).to.deep.equal([REASON, REASON]);
  });

  it('end with the caller, and do not start for one that is gone', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    const caller = aCaller();
    const inFlightCall = inFlightCalls.run(G, caller.call, never);
    caller.controller.abort();
    expect(await rejection(inFlightCall)).to.have.property('name', 'AbortError');
    let started = false;
    const late = (): unknown =>
      inFlightCalls.run(G, caller.call, () => {
        started = true;
        return never();
      });
    expect(late).to.throw().with.property('name', 'AbortError');
    expect(started).to.equal(false);
  });

  it('answer without a promise where the work does, and make no signal for it', () => {
    const call = {
      isAborted: false,
      goesOn: () => undefined,
      get signal(): AbortSignal {
        return expect.fail('made a signal');
      },
    };
    expect(new InFlightCalls(() => false).run(G, call, () => 7)).to.equal(7);
  });

  it('do not start under a grant that was taken back since the call was given it', () => {
    const inFlightCalls = new InFlightCalls((id) => id === 'gone');
    const start = () =>
      inFlightCalls.run([G, grant('gone')], aCaller().call, () => expect.fail('began'));
    expect(start).to.throw().with.deep.property('data', { capability: 'open' });
  });

  it('do not hand out a result that came after the end', async () => {
    const inFlightCalls = new InFlightCalls(() => false);
    let finish!: (value: string) => void;
    const work = new Promise<string>((resolve) => (finish = resolve));
    const inFlightCall = inFlightCalls.run(G, aCaller().call, () => work);
    inFlightCalls.endGrants(['g'], REASON);
    finish('too late');
    expect(await rejection(inFlightCall)).to.equal(REASON);
  });
});
