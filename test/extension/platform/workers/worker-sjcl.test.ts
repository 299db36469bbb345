import { expect } from 'chai';
import type { RunningWorker } from '../../../../extension/platform/workers/worker-call.ts';
import type {
  SjclAnswer,
  SjclOrder,
} from '../../../../extension/platform/workers/worker-channel.ts';
import { workerSjcl } from '../../../../extension/platform/workers/worker-sjcl.ts';
import { errorOf } from '../../../support/outcomes.ts';
import { until } from '../../../support/turns.ts';

const OPENED = { plaintext: Uint8Array.of(1, 2), authenticated: false };

/** A worker that answers so, or not at all. */
function fakeWorker(answer?: SjclAnswer) {
  const { port1, port2 } = new MessageChannel();
  const orders: SjclOrder[] = [];
  const worker = {
    ...{ port: port1, orders, ended: 0 },
    onError: () => undefined,
    end: () => {
      worker.ended++;
      port1.close();
    },
  } satisfies RunningWorker & object;
  port2.addEventListener('message', ({ data }: MessageEvent<SjclOrder>) => {
    orders.push(data);
    if (answer !== undefined) port2.postMessage(answer);
  });
  port2.start();
  port2.postMessage('ready' satisfies SjclAnswer);
  return worker;
}

describe('SJCL in a worker', () => {
  it('hands over password and text, and gives back what was opened', async () => {
    const worker = fakeWorker(OPENED);
    const open = workerSjcl(() => Promise.resolve(worker));
    expect(await open('pw', '{…}')).to.deep.equal(OPENED);
    expect(worker.orders).to.deep.equal([{ password: 'pw', text: '{…}' }]);
    expect(worker.ended).to.equal(1);
  });

  it('throws again what the reader threw there', async () => {
    for (const [wrong, name] of [
      ['text', 'TypeError'],
      ['bounds', 'RangeError'],
      ['password', 'AuthenticationError'],
      ['other', 'WorkerFailed'],
    ] as const) {
      const worker = fakeWorker({ wrong, message: 'why' });
      const error = await errorOf(workerSjcl(() => Promise.resolve(worker))('pw', '{}'));
      expect((error as Error).name).to.equal(name);
      expect(worker.ended).to.equal(1);
    }
  });

  it('ends in the middle when aborted, and starts nothing for what was aborted before', async () => {
    const worker = fakeWorker();
    const controller = new AbortController();
    const opening = workerSjcl(() => Promise.resolve(worker))('pw', '{}', controller.signal);
    await until(() => worker.orders.length > 0);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await errorOf(opening)).to.equal(reason);
    expect(worker.ended).to.equal(1);
    const never = workerSjcl(() => expect.fail('started'));
    expect(await errorOf(never('pw', '{}', controller.signal))).to.equal(reason);
  });
});
