import { expect } from 'chai';
import sinon from 'sinon';
import { CodeReader, READING_MS } from '../../../../extension/manager/forms/code-reader.ts';
import type { RunningWorker } from '../../../../extension/platform/workers/running-worker.ts';
import { until } from '../../../support/turns.ts';

const PICTURE = new Blob(['a picture']);

/** Starts workers that answer as they are told, and counts them. */
class Workers {
  /** Answers a picture; undefined: never. */
  answer: (() => unknown) | undefined = () => ({ text: 'a code' });
  started = 0;
  running = 0;
  asked = 0;
  fail = (): void => undefined;

  readonly start = (): Promise<RunningWorker> => {
    const { port1, port2 } = new MessageChannel();
    this.started++;
    this.running++;
    port2.onmessage = () => {
      this.asked++;
      if (this.answer) port2.postMessage(this.answer());
    };
    return Promise.resolve({
      port: port1,
      onError: (listener) => {
        this.fail = listener;
      },
      end: () => {
        this.running--;
        port1.close();
      },
    });
  };
}

describe('The reader of codes', () => {
  let workers: Workers;
  let reader: CodeReader;
  beforeEach(() => {
    workers = new Workers();
    reader = new CodeReader(workers.start);
  });
  afterEach(() => {
    reader.end();
    expect(workers.running).to.equal(0);
  });

  it('starts no worker before the first picture, and one for all', async () => {
    expect(workers.started).to.equal(0);
    for (let i = 0; i < 3; i++) {
      expect(await reader.read(PICTURE)).to.deep.equal({ text: 'a code' });
    }
    expect(workers.started).to.equal(1);
  });

  it('gives up a worker that has failed, and starts another one', async () => {
    workers.answer = undefined;
    const reading = reader.read(PICTURE);
    await until(() => workers.asked === 1);
    workers.fail();
    expect(await reading).to.deep.equal({ fault: 'bad' });
    expect(workers.running).to.equal(0);
    workers.answer = () => ({ fault: 'none' });
    expect(await reader.read(PICTURE)).to.deep.equal({ fault: 'none' });
    expect(workers.started).to.equal(2);
  });

  it('ends a worker that takes too long', async () => {
    workers.answer = undefined;
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reading = reader.read(PICTURE);
      await clock.tickAsync(READING_MS - 1);
      expect(workers.running).to.equal(1);
      await clock.tickAsync(1);
      expect(await reading).to.deep.equal({ fault: 'bad' });
      expect(workers.running).to.equal(0);
    } finally {
      clock.restore();
    }
  });

  it('ends at once, also while it waits', async () => {
    workers.answer = undefined;
    const reading = reader.read(PICTURE);
    await until(() => workers.asked === 1);
    reader.end();
    expect(await reading).to.deep.equal({ fault: 'bad' });
  });
});
