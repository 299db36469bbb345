import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import {
  IDLE_WORKER_MS,
  ReusedWorkers,
  WorkerFailed,
  type RunningWorker,
} from '../../../../extension/platform/workers/worker-call.ts';
import type { SubtleWorkerAnswer } from '../../../../extension/platform/workers/worker-channel.ts';
import { workerSubtle } from '../../../../extension/platform/workers/worker-subtle.ts';
import type { SubtleOrder } from '../../../../src/service/subtle/worker-order.ts';
import { errorOf } from '../../../support/outcomes.ts';
import { until } from '../../../support/turns.ts';

const ORDER: SubtleOrder = {
  operation: 'generateKey',
  algorithm: { name: 'DH', group: 'modp2048' },
  extractable: false,
  usages: ['deriveBits'],
  random: new Uint8Array(4),
};
const DERIVATION = {
  operation: 'deriveBits',
  key: { type: 'secret', algorithm: { name: 'Argon2id' } },
  length: 256,
};
const GOING_ON = new AbortController().signal;

interface Started extends RunningWorker {
  readonly orders: SubtleOrder[];
  ended: number;
  readonly listeners: readonly (() => void)[];
  readonly fail: () => void;
}

/** A worker that answers so, or not at all. */
function fakeWorker(answer?: SubtleWorkerAnswer): Started {
  const { port1, port2 } = new MessageChannel();
  const orders: SubtleOrder[] = [];
  const listeners: (() => void)[] = [];
  const started: Started = {
    port: port1,
    orders,
    listeners,
    ended: 0,
    onError: (listener) => listeners.push(listener),
    fail: () => listeners.forEach((listener) => listener()),
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

describe('Orders of subtle in a worker', () => {
  it('are done there, one after another in one worker, which ends soon after', async () => {
    const worker = fakeWorker({ value: true });
    let starts = 0;
    const done = workerSubtle(() => {
      starts++;
      return Promise.resolve(worker);
    });
    for (let i = 0; i < 3; i++) expect(await done(ORDER, GOING_ON)).to.deep.equal({ value: true });
    expect(worker.listeners).to.have.length(1);
    expect(worker.orders).to.deep.equal([ORDER, ORDER, ORDER]);
    expect({ starts, ended: worker.ended }).to.deep.equal({ starts: 1, ended: 0 });
    while (worker.ended === 0) await pause(IDLE_WORKER_MS / 10);
    expect(worker.ended).to.equal(1);
  });

  it('are done in workers of their own at the same time, of which one waits for more', async () => {
    const workers = [fakeWorker({ value: true }), fakeWorker({ value: true })];
    let starts = 0;
    const done = workerSubtle(() => Promise.resolve(workers[starts++]!));
    await Promise.all([done(ORDER, GOING_ON), done(ORDER, GOING_ON)]);
    expect(workers.map(({ orders }) => orders.length)).to.deep.equal([1, 1]);
    expect(workers.map(({ ended }) => ended).sort()).to.deep.equal([0, 1]);
    await done(ORDER, GOING_ON);
    expect(starts).to.equal(2);
  });

  it('end their worker where they filled much memory', async () => {
    const argon2 = { ...DERIVATION, algorithm: { name: 'Argon2id', memory: 16 * 1024 + 8 } };
    const scrypt = { ...DERIVATION, algorithm: { name: 'scrypt', N: 2 ** 15, r: 8, p: 1 } };
    for (const order of [argon2, scrypt] as unknown as SubtleOrder[]) {
      const worker = fakeWorker({ value: true });
      await workerSubtle(() => Promise.resolve(worker))(order, GOING_ON);
      expect(worker.ended, order.algorithm.name).to.equal(1);
    }
  });

  it('end a waiting worker that fails, and are done in the next one', async () => {
    const workers = [fakeWorker({ value: true }), fakeWorker({ value: true })];
    let starts = 0;
    const done = workerSubtle(() => Promise.resolve(workers[starts++]!));
    await done(ORDER, GOING_ON);
    workers[0]!.fail();
    expect(workers[0]!.ended).to.equal(1);
    await done(ORDER, GOING_ON);
    expect(starts).to.equal(2);
  });

  it('end a worker that fails between its answer and its wait, which is not left to the next one', async () => {
    const workers = [fakeWorker({ value: true }), fakeWorker({ value: true })];
    let starts = 0;
    const start = () => Promise.resolve(workers[starts++]!);
    const reused = new ReusedWorkers(start, 'subtle-worker.js');
    const given = () => ({ order: ORDER, transfer: [] });
    const isReusable = () => {
      workers[0]!.fail();
      return true;
    };
    await reused.run(given, isReusable);
    expect(workers[0]!.ended).to.equal(1);
    await reused.run(given, () => false);
    expect(starts).to.equal(2);
  });

  it('end with their worker in the middle when they are aborted', async () => {
    const worker = fakeWorker();
    const controller = new AbortController();
    const doing = workerSubtle(() => Promise.resolve(worker))(ORDER, controller.signal);
    await until(() => worker.orders.length > 0);
    expect(worker.ended).to.equal(0);
    controller.abort(new Error('locked'));
    expect(await errorOf(doing)).to.equal(controller.signal.reason);
    expect(worker.ended).to.equal(1);
  });

  it('fail where the worker does, or none can be started: they are never done in place', async () => {
    const worker = fakeWorker({ failed: 'out of memory' });
    const failing = workerSubtle(() => Promise.resolve(worker));
    expect(await errorOf(failing(ORDER, GOING_ON))).to.be.instanceOf(WorkerFailed);
    expect(worker.ended).to.equal(1);
    const none = workerSubtle(() => Promise.reject(new Error('none')));
    expect(await errorOf(none(ORDER, GOING_ON))).to.be.instanceOf(WorkerFailed);
  });
});
