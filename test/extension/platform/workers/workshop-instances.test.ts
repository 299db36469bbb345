import { SELF_TEST_ROWS } from '../../../../src/rpc/self-test-rows.ts';
import { WORKSHOP_METHODS } from '../../../../src/rpc/workshop-methods.ts';
import { expect } from 'chai';
import sinon from 'sinon';
import type { RunningWorker } from '../../../../extension/platform/workers/running-worker.ts';
import {
  IDLE,
  WorkshopInstances,
} from '../../../../extension/platform/workers/workshop-instances.ts';
import {
  NoWorker,
  WorkshopFailed,
  type Owner,
  type WorkshopMessage,
  type WorkshopRequest,
} from '../../../../src/rpc/workshop.ts';
import { errorOf } from '../../../support/outcomes.ts';
import { until } from '../../../support/turns.ts';

const PAGE = 'origin https://a.example';
const OTHER_PAGE = 'origin https://b.example';
const DIGEST = {
  secrets: { keys: [] },
  params: { algorithm: { name: 'SHA-256' }, data: new Uint8Array(2) },
};
const VALUE = { type: 'value', value: Uint8Array.of(1, 2) } as const;

/** A worker that answers so, or not at all. */
class FakeWorker implements RunningWorker {
  readonly port: MessagePort;
  readonly requests: WorkshopRequest[] = [];
  ended = 0;
  /** Whether it ends before it is ready. */
  isBroken = false;
  readonly #far: MessagePort;
  #failing = (): void => undefined;

  constructor(...answers: readonly WorkshopMessage[]) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.#far = port2;
    port2.addEventListener('message', ({ data }: MessageEvent<WorkshopRequest>) => {
      this.requests.push(data);
      for (const answer of answers) this.say(answer);
    });
    port2.start();
    this.say({ type: 'ready' });
  }

  say(message: WorkshopMessage): void {
    this.#far.postMessage(message);
  }

  fail(): void {
    this.#failing();
  }

  onError = (listener: () => void): void => {
    this.#failing = listener;
    if (this.isBroken) listener();
  };

  end = (): void => {
    this.ended++;
    this.port.close();
  };
}

/** The workshop over these workers, in the order of their starts. */
function workshopOf(...workers: FakeWorker[]) {
  const left = [...workers];
  return new WorkshopInstances(
    () => {
      const worker = left.shift();
      return worker ? Promise.resolve(worker) : Promise.reject(new Error('none'));
    },
    { ...WORKSHOP_METHODS, ...SELF_TEST_ROWS },
  );
}

const endsOf = (workers: readonly FakeWorker[]) => workers.map(({ ended }) => ended);

describe('The workers of the workshop', () => {
  const workers: FakeWorker[] = [];
  const answering = (count: number): FakeWorker[] => {
    const made = Array.from({ length: count }, () => new FakeWorker(VALUE));
    workers.push(...made);
    return made;
  };
  const digest = (workshop: WorkshopInstances, owner: Owner = PAGE) =>
    workshop.call(owner, 'subtle.digest', DIGEST);
  afterEach(() => {
    sinon.restore();
    for (const { port } of workers.splice(0)) port.close();
  });

  it('do the calls of an origin one after another, and wait a moment for more', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [worker] = answering(1);
    const workshop = workshopOf(worker!);
    for (let i = 0; i < 3; i++) expect(await digest(workshop)).to.deep.equal(VALUE.value);
    expect(worker!.requests).to.deep.equal(
      Array.from({ length: 3 }, () => ({ operation: 'subtle.digest', ...DIGEST })),
    );
    clock.tick(IDLE.ms - 1);
    expect(worker!.ended).to.equal(0);
    clock.tick(1);
    expect(worker!.ended).to.equal(1);
  });

  it('never serve two owners', async () => {
    const started = answering(3);
    const workshop = workshopOf(...started);
    await digest(workshop);
    await digest(workshop, OTHER_PAGE);
    await digest(workshop, 'files');
    await digest(workshop);
    expect(started.map(({ requests }) => requests.length)).to.deep.equal([2, 1, 1]);
  });

  it('end with the answer unless they are of an origin', async () => {
    const started = answering(3);
    const workshop = workshopOf(...started);
    for (const owner of ['vault', 'files', 'self-test'] as const) await digest(workshop, owner);
    expect(endsOf(started)).to.deep.equal([1, 1, 1]);
  });

  it('do one call at a time', async () => {
    const started = answering(2);
    const workshop = workshopOf(...started);
    await Promise.all([digest(workshop), digest(workshop)]);
    expect(started.map(({ requests }) => requests.length)).to.deep.equal([1, 1]);
  });

  it('wait in small numbers: the one that has waited longest ends', async () => {
    const started = answering(IDLE.atMost + 1);
    const workshop = workshopOf(...started);
    for (const index of started.keys()) {
      await digest(workshop, `origin https://${index}.example`);
    }
    expect(endsOf(started)).to.deep.equal([1, ...Array.from({ length: IDLE.atMost }, () => 0)]);
  });

  it('end where a call filled much memory', async () => {
    const started = answering(2);
    const workshop = workshopOf(...started);
    const key = { handle: 'h', key: {} as never };
    for (const algorithm of [
      { name: 'Argon2id', memory: 16 * 1024 + 8 },
      { name: 'scrypt', N: 2 ** 15, r: 8, p: 1 },
    ]) {
      const params = { algorithm, baseKey: 'h', length: 256 };
      await workshop.call(PAGE, 'subtle.deriveBits', { secrets: { keys: [key] }, params });
    }
    expect(endsOf(started)).to.deep.equal([1, 1]);
  });

  it('are not used again where they failed while they waited, or while they worked', async () => {
    const [first, second] = answering(2);
    const silent = new FakeWorker();
    workers.push(silent);
    const workshop = workshopOf(first!, silent, second!);
    await digest(workshop);
    first!.fail();
    expect(first!.ended).to.equal(1);
    const again = digest(workshop);
    await until(() => silent.requests.length > 0);
    silent.fail();
    expect(await again).to.deep.equal(VALUE.value);
    expect(silent.ended).to.equal(1);
  });

  it('are sent a call once more and no further time', async () => {
    const silent = [new FakeWorker(), new FakeWorker()];
    const [unused] = answering(1);
    workers.push(...silent);
    const doing = errorOf(digest(workshopOf(...silent, unused!)));
    for (const worker of silent) {
      await until(() => worker.requests.length > 0);
      worker.fail();
    }
    expect(await doing).to.be.instanceOf(WorkshopFailed);
    expect(unused!.requests).to.deep.equal([]);
  });

  it('are started once more where one has ended before it was ready, and no further time', async () => {
    const ended = Array.from({ length: 3 }, () => new FakeWorker());
    const [worker, unused] = answering(2);
    workers.push(...ended);
    for (const each of ended) each.isBroken = true;
    expect(await digest(workshopOf(ended[0]!, worker!))).to.deep.equal(VALUE.value);
    const error = await errorOf(digest(workshopOf(ended[1]!, ended[2]!, unused!)));
    expect(error).to.be.instanceOf(NoWorker);
    expect(endsOf(ended)).to.deep.equal([1, 1, 1]);
    expect(unused!.requests).to.deep.equal([]);
  });

  it('end in the middle when the call is aborted, and start nothing for one that was before', async () => {
    const silent = new FakeWorker();
    workers.push(silent);
    const aborting = new AbortController();
    const { signal } = aborting;
    const doing = errorOf(workshopOf(silent).call(PAGE, 'subtle.digest', DIGEST, { signal }));
    await until(() => silent.requests.length > 0);
    expect(silent.ended).to.equal(0);
    aborting.abort(new Error('locked'));
    expect(await doing).to.equal(signal.reason);
    expect(silent.ended).to.equal(1);
    const early = new WorkshopInstances(() => expect.fail('started'), WORKSHOP_METHODS);
    expect(await errorOf(early.call(PAGE, 'subtle.digest', DIGEST, { signal }))).to.equal(
      signal.reason,
    );
  });

  it('are given nothing where the call is aborted while they start', async () => {
    const [worker] = answering(1);
    const aborting = new AbortController();
    const workshop = new WorkshopInstances(() => {
      aborting.abort(new Error('enough'));
      return Promise.resolve(worker!);
    }, WORKSHOP_METHODS);
    const { signal } = aborting;
    expect(await errorOf(workshop.call(PAGE, 'subtle.digest', DIGEST, { signal }))).to.equal(
      signal.reason,
    );
    expect({ requests: worker!.requests, ended: worker!.ended }).to.deep.equal({
      requests: [],
      ended: 1,
    });
  });

  it('report, before they answer', async () => {
    const progress = { type: 'progress', done: 1, total: 2 };
    const thresholds = { type: 'value', value: { thresholds: [] } } as const;
    const worker = new FakeWorker({ type: 'progress', event: progress }, thresholds);
    workers.push(worker);
    const events: unknown[] = [];
    const input = { secrets: {}, params: { cards: false } };
    const onProgress = (event: unknown) => void events.push(event);
    await workshopOf(worker).call('self-test', 'selfTest.run', input, { onProgress });
    expect(events).to.deep.equal([progress]);
  });

  it('throw the errors of operations by their names, and go on unless it was an unknown one', async () => {
    for (const [name, ended] of [
      ...(['TypeError', 'RangeError', 'AuthenticationError', 'OperationError'] as const).map(
        (known) => [known, 0] as const,
      ),
      ['Failed', 1] as const,
    ]) {
      const worker = new FakeWorker({ type: 'error', name, message: 'why' });
      workers.push(worker);
      const error = (await errorOf(digest(workshopOf(worker)))) as Error;
      expect(error.name).to.equal(name === 'Failed' ? 'WorkshopFailed' : name);
      expect(worker.ended, name).to.equal(ended);
    }
  });

  it('are validated: a result of another shape ends them', async () => {
    const worker = new FakeWorker({ type: 'value', value: 'not bytes' });
    workers.push(worker);
    expect(await errorOf(digest(workshopOf(worker)))).to.be.instanceOf(Error);
    expect(worker.ended).to.equal(1);
  });

  it('are all there is: without one the call fails, and says so', async () => {
    const error = await errorOf(digest(workshopOf()));
    expect(error).to.be.instanceOf(NoWorker).with.property('code', 'UNSUPPORTED');
  });
});
