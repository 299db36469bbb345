import { expect } from 'chai';
import {
  WorkerFailed,
  type RunningWorker,
} from '../../../../extension/platform/workers/worker-call.ts';
import type { SubtleWorkerAnswer } from '../../../../extension/platform/workers/worker-channel.ts';
import { workerSubtle } from '../../../../extension/platform/workers/worker-subtle.ts';
import type { SubtleOrder } from '../../../../src/service/subtle/worker-order.ts';

const ORDER: SubtleOrder = {
  operation: 'generateKey',
  algorithm: { name: 'DH', group: 'modp2048' },
  extractable: false,
  usages: ['deriveBits'],
  random: new Uint8Array(4),
};
const GOING_ON = new AbortController().signal;

interface Started extends RunningWorker {
  readonly orders: SubtleOrder[];
  ended: number;
}

/** A worker that answers so, or not at all. */
function fakeWorker(answer?: SubtleWorkerAnswer): Started {
  const { port1, port2 } = new MessageChannel();
  const orders: SubtleOrder[] = [];
  const started: Started = {
    port: port1,
    orders,
    ended: 0,
    onError: () => undefined,
    end: () => {
      started.ended++;
      port1.close();
    },
  };
  port2.addEventListener('message', ({ data }: MessageEvent<SubtleOrder>) => {
    orders.push(data);
    if (answer !== undefined) port2.postMessage(answer);
  });
  port2.start();
  port2.postMessage('ready' satisfies SubtleWorkerAnswer);
  return started;
}

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('Orders of subtle in a worker', () => {
  it('are done there, one by each worker', async () => {
    const worker = fakeWorker({ value: true });
    const done = workerSubtle(() => Promise.resolve(worker));
    expect(await done(ORDER, GOING_ON)).to.deep.equal({ value: true });
    expect(worker.orders).to.deep.equal([ORDER]);
    expect(worker.ended).to.equal(1);
  });

  it('end with their worker in the middle when they are aborted', async () => {
    const worker = fakeWorker();
    const controller = new AbortController();
    const doing = workerSubtle(() => Promise.resolve(worker))(ORDER, controller.signal);
    while (worker.orders.length === 0) await new Promise((resume) => setTimeout(resume, 1));
    expect(worker.ended).to.equal(0);
    controller.abort(new Error('locked'));
    expect(await errorOf(doing)).to.equal(controller.signal.reason);
    expect(worker.ended).to.equal(1);
  });

  it('fail where the worker does, or none can be started: they are never done in place', async () => {
    const failing = workerSubtle(() => Promise.resolve(fakeWorker({ failed: 'out of memory' })));
    expect(await errorOf(failing(ORDER, GOING_ON))).to.be.instanceOf(WorkerFailed);
    const none = workerSubtle(() => Promise.reject(new Error('none')));
    expect(await errorOf(none(ORDER, GOING_ON))).to.be.instanceOf(WorkerFailed);
  });
});
