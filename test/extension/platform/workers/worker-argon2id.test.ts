import { expect } from 'chai';
import type {
  Argon2idAnswer,
  Argon2idOrder,
} from '../../../../extension/platform/workers/worker-channel.ts';
import type { RunningWorker } from '../../../../extension/platform/workers/worker-call.ts';
import {
  DerivationError,
  workerArgon2id,
} from '../../../../extension/platform/workers/worker-argon2id.ts';
import { until } from '../../../support/turns.ts';

const COST = { memoryKiB: 65_536, passes: 3, parallelism: 4 };
const SALT = new Uint8Array(16).fill(7);
const KEY = new Uint8Array(32).fill(9);
const here = () => Promise.resolve(new Uint8Array(32).fill(1));

interface Started extends RunningWorker {
  readonly orders: Argon2idOrder[];
  ended: number;
  fail(): void;
}

/** A worker that answers so, or not at all. */
function fakeWorker(answer?: Argon2idAnswer, ready = true): Started {
  const { port1, port2 } = new MessageChannel();
  let failing = (): void => undefined;
  const orders: Argon2idOrder[] = [];
  const started: Started = {
    port: port1,
    orders,
    ended: 0,
    onError: (listener) => (failing = listener),
    fail: () => failing(),
    end: () => {
      started.ended++;
      port1.close();
    },
  };
  port2.addEventListener('message', ({ data }: MessageEvent<Argon2idOrder>) => {
    orders.push(data);
    if (answer !== undefined) port2.postMessage(answer);
  });
  port2.start();
  if (ready) port2.postMessage('ready' satisfies Argon2idAnswer);
  return started;
}

describe('Argon2id in a worker', () => {
  it('derives there, ends the worker, and leaves the caller’s passphrase alone', async () => {
    const worker = fakeWorker({ key: KEY });
    const derive = workerArgon2id(() => Promise.resolve(worker), here);
    const passphrase = new Uint8Array([1, 2, 3]);
    expect(await derive(passphrase, SALT, COST)).to.deep.equal(KEY);
    expect(worker.orders).to.deep.equal([{ passphrase, salt: SALT, cost: COST }]);
    expect(passphrase).to.deep.equal(new Uint8Array([1, 2, 3]));
    expect(worker.ended).to.equal(1);
  });

  it('ends it in the middle, and rejects with the reason, when aborted', async () => {
    const worker = fakeWorker();
    const controller = new AbortController();
    const derive = workerArgon2id(() => Promise.resolve(worker), here);
    const deriving = derive(new Uint8Array(3), SALT, COST, controller.signal);
    await until(() => worker.orders.length > 0);
    expect(worker.ended).to.equal(0);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await deriving.catch((error: unknown) => error)).to.equal(reason);
    expect(worker.ended).to.equal(1);
  });

  it('starts nothing for what was aborted before, and hands over nothing while it starts', async () => {
    const aborted = AbortSignal.abort(new Error('before'));
    const never = workerArgon2id(() => expect.fail('started'), here);
    const early: unknown = await never(new Uint8Array(3), SALT, COST, aborted).catch(
      (error: unknown) => error,
    );
    expect(early).to.equal(aborted.reason);
    const worker = fakeWorker({ key: KEY });
    const controller = new AbortController();
    const derive = workerArgon2id(() => {
      controller.abort();
      return Promise.resolve(worker);
    }, here);
    const late: unknown = await derive(new Uint8Array(3), SALT, COST, controller.signal).catch(
      (error: unknown) => error,
    );
    expect(late).to.equal(controller.signal.reason);
    expect(worker.orders).to.deep.equal([]);
    expect(worker.ended).to.equal(1);
  });

  it('tells a failed derivation from a worker that cannot be had', async () => {
    const worker = fakeWorker({ name: 'RangeError', message: 'out of memory' });
    const failing = workerArgon2id(() => Promise.resolve(worker), here);
    const error: unknown = await failing(new Uint8Array(3), SALT, COST).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(DerivationError);
    expect((error as Error).message).to.equal('RangeError: out of memory');
    expect(worker.ended).to.equal(1);
  });

  it('derives in place where no worker can be had, or its script does not run', async () => {
    const none = workerArgon2id(() => Promise.reject(new Error('none')), here);
    expect(await none(new Uint8Array(3), SALT, COST)).to.deep.equal(await here());
    const worker = fakeWorker(undefined, false);
    const derive = workerArgon2id(() => Promise.resolve(worker), here);
    const deriving = derive(new Uint8Array(3), SALT, COST);
    await until(() => true);
    worker.fail();
    expect(await deriving).to.deep.equal(await here());
    expect(worker.ended).to.equal(1);
  });
});
