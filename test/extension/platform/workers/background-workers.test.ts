import { expect } from 'chai';
import sinon from 'sinon';
import {
  CLOSING,
  END,
  isOffscreen,
  OffscreenDocument,
  START,
  type FromHost,
} from '../../../../extension/platform/workers/offscreen-document.ts';
import { WORKSHOP_SCRIPT } from '../../../../extension/platform/workers/running-worker.ts';
import { IDLE_MS, WorkerHost } from '../../../../extension/platform/workers/worker-host.ts';
import { settled } from '../../../support/turns.ts';

const URL_OF_DOCUMENT = 'ext:/offscreen.html';

/** Messages of Node's ports are macrotasks. */
const delivered = settled;

/** A worker that answers whatever its line says with the same. */
class FakeWorker extends EventTarget {
  static readonly running = new Set<FakeWorker>();
  readonly script: string;
  #line: MessagePort | undefined;

  constructor(script: string) {
    super();
    this.script = script;
    FakeWorker.running.add(this);
  }

  postMessage(_nothing: null, [line]: [MessagePort]): void {
    this.#line = line;
    line.addEventListener('message', ({ data }) => line.postMessage(data));
    line.start();
  }

  terminate(): void {
    FakeWorker.running.delete(this);
    this.#line?.close();
  }
}

/** One lock: many hold it together, or one alone, which is refused where it is held. */
class FakeLock {
  #shared = 0;
  #alone: Promise<unknown> | undefined;
  /** The browser has ended the page that held it alone. */
  release = (): void => undefined;

  async request(_name: string, { mode }: LockOptions, work: (lock: object | null) => unknown) {
    if (mode === 'shared') {
      await this.#alone;
      this.#shared++;
      return Promise.resolve(work({})).finally(() => this.#shared--);
    }
    if (this.#shared > 0) return work(null);
    const released = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.#alone = Promise.race([work({}), released]);
    return this.#alone;
  }
}

/** A browser with room for one offscreen document, in which the real host runs. */
class FakeBrowser {
  readonly documents: EventTarget[] = [];
  /** That show the document's address. What is sent there has no answer. */
  tabs = 0;
  made = 0;
  /** Whether the next document is one that has crashed: still listed, and deaf. */
  deaf = false;
  readonly lock = new FakeLock();
  readonly locks = this.lock as unknown as LockManager;

  readonly offscreen = {
    createDocument: async () => {
      await delivered();
      if (this.documents.length > 0) throw new Error('Only a single offscreen document');
      const requests = Object.assign(new EventTarget(), { startMessages: () => undefined });
      this.made++;
      this.documents.push(requests);
      const { locks } = this;
      if (!this.deaf) new WorkerHost({ locks, requests, close: () => void this.#close() });
    },
  };

  /** Until it is gone, a document works as before. */
  async #close(): Promise<void> {
    await delivered();
    this.documents.splice(0);
    this.lock.release();
  }

  readonly contexts = { getContexts: () => Promise.resolve(this.documents) };

  readonly clients = {
    matchAll: () =>
      Promise.resolve([
        { url: 'ext:/popup.html', postMessage: () => expect.fail('asked the popup') },
        ...Array.from({ length: this.tabs }, () => ({
          url: URL_OF_DOCUMENT,
          postMessage: () => undefined,
        })),
        ...this.documents.map((document) => ({
          url: URL_OF_DOCUMENT,
          postMessage: (data: unknown, ports: Transferable[]) => {
            const event = Object.assign(new Event('message'), { data, ports });
            document.dispatchEvent(event);
          },
        })),
      ]),
  };

  document() {
    const { locks, offscreen, contexts, clients } = this;
    return new OffscreenDocument({ locks, offscreen, contexts, clients, url: URL_OF_DOCUMENT });
  }
}

describe('Workers of a service worker', () => {
  let fake: FakeBrowser;
  const ports: MessagePort[] = [];

  beforeEach(() => {
    fake = new FakeBrowser();
    Object.assign(globalThis, { Worker: FakeWorker });
  });
  afterEach(async () => {
    sinon.restore();
    ports.splice(0).forEach((port) => port.close());
    for (const worker of FakeWorker.running) worker.terminate();
    await delivered();
    Reflect.deleteProperty(globalThis, 'Worker');
  });

  it('run in one offscreen document, with a line each', async () => {
    const document = fake.document();
    const workers = await Promise.all([document.startWorker(), document.startWorker()]);
    expect(fake.made).to.equal(1);
    expect(FakeWorker.running.size).to.equal(2);
    const [first] = workers;
    const answer = new Promise((resolve) => {
      first.port.onmessage = ({ data }) => resolve(data);
    });
    first.port.postMessage('hello');
    expect(await answer).to.equal('hello');
    for (const { end } of workers) end();
    await delivered();
    expect(FakeWorker.running.size).to.equal(0);
  });

  it('start beside tabs that show the address of the document, and not in them', async () => {
    fake.tabs = 2;
    // A start that waited for an answer of a tab would wait here without an end.
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout'] });
    const workers = [await fake.document().startWorker(), await fake.document().startWorker()];
    clock.restore();
    expect(fake.made).to.equal(1);
    expect(FakeWorker.running.size).to.equal(2);
    for (const { end } of workers) end();
    const offscreen = { runtime: {} };
    expect([isOffscreen(offscreen), isOffscreen({ ...offscreen, tabs: {} })]).to.deep.equal([
      true,
      false,
    ]);
    await delivered();
  });

  it('end with their service worker', async () => {
    const steering = new MessageChannel();
    const line = new MessageChannel();
    ports.push(line.port1);
    await fake.offscreen.createDocument();
    const [, document] = await fake.clients.matchAll();
    document!.postMessage(START, [steering.port2, line.port2]);
    expect(FakeWorker.running.size).to.equal(1);
    steering.port1.close();
    await delivered();
    expect(FakeWorker.running.size).to.equal(0);
  });

  it('are of one script, whatever else is asked for', async () => {
    const steering = new MessageChannel();
    const line = new MessageChannel();
    ports.push(line.port1, steering.port1);
    await fake.offscreen.createDocument();
    const [, document] = await fake.clients.matchAll();
    document!.postMessage({ start: 'https://evil.example/x.js' }, [steering.port2, line.port2]);
    expect(FakeWorker.running.size).to.equal(0);
    document!.postMessage(START, [steering.port2, line.port2]);
    expect([...FakeWorker.running].map(({ script }) => script)).to.deep.equal([WORKSHOP_SCRIPT]);
  });

  it('are reported when their script fails', async () => {
    const worker = await fake.document().startWorker();
    const failed = new Promise<void>((resolve) => worker.onError(resolve));
    for (const each of FakeWorker.running) each.dispatchEvent(new Event('error'));
    await failed;
    worker.end();
    await delivered();
  });

  it('are reported when the document ends, and the worker with it', async () => {
    const requests = Object.assign(new EventTarget(), { startMessages: () => undefined });
    let control: MessagePort | undefined;
    requests.addEventListener('message', (event) => {
      [control] = (event as MessageEvent).ports;
      control!.postMessage('started' satisfies FromHost);
    });
    fake.documents.push(requests);
    const worker = await fake.document().startWorker();
    const failed = new Promise<void>((resolve) => worker.onError(resolve));
    control!.close();
    await failed;
    worker.end();
  });

  it('wait for a document that is closing, and start in the next one', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await fake.offscreen.createDocument();
    clock.tick(IDLE_MS);
    clock.restore();
    const worker = await fake.document().startWorker();
    expect(fake.made).to.equal(2);
    worker.end();
    await delivered();
  });

  it('keep a document from closing while they start', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await fake.offscreen.createDocument();
    let started = (): void => undefined;
    const starting = fake.lock.request(CLOSING, { mode: 'shared' }, () => {
      return new Promise<void>((resume) => (started = resume));
    });
    await delivered();
    clock.tick(IDLE_MS);
    await delivered();
    expect(fake.documents).to.have.length(1);
    started();
    await starting;
    clock.tick(IDLE_MS);
    await delivered();
    expect(fake.documents, 'closed when it is idle again').to.deep.equal([]);
    clock.restore();
  });

  it('are started in a new document where one that has crashed is listed for a moment', async () => {
    fake.deaf = true;
    await fake.offscreen.createDocument();
    fake.deaf = false;
    setTimeout(() => fake.documents.splice(0), 1_000);
    const worker = await fake.document().startWorker();
    expect(fake.made).to.equal(2);
    worker.end();
    await delivered();
  }).timeout(120_000);

  it('leave nothing behind: the document closes itself when it has been idle', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const requests = Object.assign(new EventTarget(), { startMessages: () => undefined });
    const close = sinon.fake();
    new WorkerHost({ locks: fake.locks, requests, close });
    clock.tick(IDLE_MS - 1);
    const steering = new MessageChannel();
    const line = new MessageChannel();
    ports.push(line.port1, steering.port1);
    const ports2 = [steering.port2, line.port2];
    requests.dispatchEvent(Object.assign(new Event('message'), { data: START, ports: ports2 }));
    clock.tick(10 * IDLE_MS);
    expect(close.callCount).to.equal(0);
    clock.restore();
    steering.port1.postMessage(END);
    const later = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await new Promise((resume) => setImmediate(() => setImmediate(resume)));
    later.tick(IDLE_MS - 1);
    expect(close.callCount).to.equal(0);
    later.tick(1);
    expect(close.callCount).to.equal(1);
  });
});
