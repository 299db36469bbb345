import { expect } from 'chai';
import sinon from 'sinon';
import type { Channel } from '../../../src/rpc/channel.ts';
import { event, failure, PONG, progress, success } from '../../../src/rpc/envelope.ts';
import type { Message } from '../../../src/rpc/envelope.ts';
import { disconnected } from '../../../src/rpc/errors.ts';
import { PING_EVERY_MS } from '../../../src/rpc/client/reconnecting-channel.ts';
import { CLIENT_LIMITS, MethodClient } from '../../../src/rpc/client/method-client.ts';
import type { ClientDeps } from '../../../src/rpc/client/method-client.ts';
import { deadlineMs } from '../../../src/rpc/methods/method.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import type { MethodName } from '../../../src/rpc/methods/methods.ts';
import { POPUP } from '../memory-channel.ts';
import { outcomeOf } from '../../support/outcomes.ts';

/** A channel whose other end is the test. */
class FakeChannel implements Channel {
  readonly peer = POPUP;
  readonly sent: Message[] = [];
  isClosed = false;
  receive: (message: unknown) => void = () => undefined;
  #onClose: () => void = () => undefined;

  send(message: unknown): void {
    const copy = structuredClone(message) as Message;
    if (copy.kind === 'many') this.sent.push(...(copy.messages as Message[]));
    else this.sent.push(copy);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.receive = listener;
  }
  onClose(listener: () => void): void {
    this.#onClose = listener;
  }
  close(): void {
    this.isClosed = true;
  }
  drop(): void {
    this.#onClose();
  }
  ids(): string[] {
    return this.sent.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
  }
  kinds(): string[] {
    return this.sent.map(({ kind }) => kind);
  }
}

function setUp(over: Partial<ClientDeps> = {}) {
  const channels: FakeChannel[] = [];
  const client = new MethodClient(METHODS, {
    connect: () => {
      const channel = new FakeChannel();
      channels.push(channel);
      return channel;
    },
    idPrefix: 'c',
    ...over,
  });
  return { client, channels };
}

const LENGTH = { length: 1 };
/** Messages of one task are sent together at its end. */
const sentAll = (): Promise<void> => Promise.resolve();
const BYTE = new Uint8Array([9]);

let clock: sinon.SinonFakeTimers;
/** The clock of each test stands still until the test moves it. */
function withFakeClock(): void {
  beforeEach(() => (clock = sinon.useFakeTimers()));
  afterEach(() => clock.restore());
}

describe('the client', () => {
  withFakeClock();

  it('opens no channel before there is work', () => {
    expect(setUp().channels).to.have.length(0);
  });

  it('sends a request and resolves with its result, in any order of answers', async () => {
    const { client, channels } = setUp();
    const [first, second] = [client.call('random', LENGTH), client.call('random', { length: 2 })];
    channels[0]!.receive(success('c-2', new Uint8Array(2)));
    channels[0]!.receive(success('c-1', BYTE));
    expect(await first).to.deep.equal(BYTE);
    expect(await second).to.have.length(2);
    expect(channels).to.have.length(1);
  });

  it('rejects with the error of the response', async () => {
    const { client, channels } = setUp();
    const call = outcomeOf(client.call('random', LENGTH));
    channels[0]!.receive(failure('c-1', { code: 'LOCKED', message: 'Locked' }));
    expect(await call).to.include({ name: 'SealwrightError', code: 'LOCKED', retryable: true });
  });

  it('rejects a result of another form, and ignores unexpected answers', async () => {
    const { client, channels } = setUp();
    const call = outcomeOf(client.call('random', LENGTH));
    for (const noise of [null, success('other', BYTE), { v: 2, kind: 'response', id: 'c-1' }]) {
      channels[0]!.receive(noise);
    }
    channels[0]!.receive(success('c-1', 'text'));
    channels[0]!.receive(success('c-1', BYTE));
    expect(await call).to.include({ code: 'INTERNAL' });
  });

  it('repeats unanswered requests with the same ids when the channel drops', async () => {
    const { client, channels } = setUp();
    const calls = [client.call('random', LENGTH), client.call('random', LENGTH)];
    channels[0]!.receive(success('c-1', BYTE));
    channels[0]!.drop();
    clock.tick(0);
    await sentAll();
    expect(channels[1]!.ids()).to.deep.equal(['c-2']);
    channels[1]!.receive(success('c-2', BYTE));
    expect(await Promise.all(calls)).to.deep.equal([BYTE, BYTE]);
  });

  it('sends them again at once when it is told that the channel is closed, and opens none without need', async () => {
    const { client, channels } = setUp();
    client.reconnect();
    expect(channels).to.have.length(0);
    const call = client.call('random', LENGTH);
    client.reconnect();
    clock.tick(0);
    await sentAll();
    expect(channels.map(({ isClosed }) => isClosed)).to.deep.equal([true, false]);
    expect(channels[1]!.ids()).to.deep.equal(['c-1']);
    channels[1]!.receive(success('c-1', BYTE));
    expect(await call).to.deep.equal(BYTE);
    client.reconnect();
    clock.runAll();
    expect(channels, 'no call is pending').to.have.length(2);
  });

  it('pauses longer before each new channel, up to 3 s, and fails a call after 24', async () => {
    const { client, channels } = setUp();
    const call = outcomeOf(client.call('random', LENGTH));
    const pauses: number[] = [];
    for (let sending = 1; sending < 24; sending++) {
      const before = clock.now;
      channels.at(-1)!.drop();
      while (channels.length === sending) clock.next();
      pauses.push(clock.now - before);
    }
    channels.at(-1)!.drop();
    expect(pauses.slice(0, 4)).to.deep.equal([0, 50, 100, 200]);
    expect(pauses.at(-1)).to.equal(3_000);
    expect(await call).to.include({ code: 'DISCONNECTED' });
  });

  it('sends a call whose work the page chose once more, and gives it up after the second death', async () => {
    const { client, channels } = setUp();
    const params = { algorithm: { name: 'SHA-256' }, data: BYTE };
    const call = outcomeOf(client.call('subtle.digest', params));
    const other = client.call('random', LENGTH);
    for (const death of [1, 2]) {
      await sentAll();
      expect(channels.at(-1)!.ids()).to.deep.equal(['c-1', 'c-2']);
      channels.at(-1)!.drop();
      while (channels.length === death) clock.next();
    }
    expect(await call).to.include({ code: 'DISCONNECTED', retryable: true });
    await sentAll();
    expect(channels.at(-1)!.ids()).to.deep.equal(['c-2']);
    channels.at(-1)!.receive(success('c-2', BYTE));
    expect(await other).to.deep.equal(BYTE);
  });

  it('ends every call with DISCONNECTED if there is no new channel', async () => {
    const { client } = setUp({
      connect: () => {
        throw disconnected();
      },
    });
    const calls = [client.call('random', LENGTH), client.call('status', {})].map(outcomeOf);
    for (const call of calls) expect(await call).to.include({ code: 'DISCONNECTED' });
  });

  it('aborts at once, on the other side too, and keeps the channel', async () => {
    const { client, channels } = setUp();
    const controller = new AbortController();
    const call = outcomeOf(client.call('random', LENGTH, { signal: controller.signal }));
    const other = client.call('random', LENGTH);
    controller.abort();
    expect(await call)
      .to.be.instanceOf(DOMException)
      .and.include({ name: 'AbortError' });
    expect(channels[0]!.kinds()).to.deep.equal(['request', 'request', 'abort']);
    channels[0]!.receive(success('c-1', BYTE));
    channels[0]!.receive(success('c-2', BYTE));
    expect(await other).to.deep.equal(BYTE);
  });

  it('sends nothing for an aborted signal', async () => {
    const { client, channels } = setUp();
    const call = client.call('random', LENGTH, { signal: AbortSignal.abort() });
    expect(await outcomeOf(call)).to.include({ name: 'AbortError' });
    expect(channels).to.have.length(0);
  });
});

describe('The time limits of the client', () => {
  withFakeClock();

  it('ends every call finally, even if the service hangs and still answers pings', async () => {
    const { client, channels } = setUp();
    // Calls that wait for the user have their own time; of the others as many as are sent at once.
    const names = Object.keys(METHODS) as MethodName[];
    const methods = names
      .filter((name) => deadlineMs(METHODS[name]) !== undefined)
      .slice(1 - CLIENT_LIMITS.calls);
    const outcomes = new Map<string, unknown>();
    for (const method of methods) {
      void outcomeOf(client.call(method, {})).then((end) => outcomes.set(method, end));
    }
    const answerPings = (): void => channels[0]!.receive(PONG);
    const pings = setInterval(answerPings, PING_EVERY_MS);
    let hasEnded = false;
    void outcomeOf(client.call('connect', {} as never)).then(() => (hasEnded = true));
    await clock.tickAsync(2 * 60_000 - 1);
    expect(outcomes.size, 'before any deadline').to.equal(0);
    await clock.tickAsync(15 * 60_000);
    clearInterval(pings);
    expect([...outcomes.keys()]).to.have.members(methods);
    for (const end of outcomes.values()) expect(end).to.include({ code: 'INTERNAL' });
    expect(hasEnded, 'the user answers connect').to.equal(false);
    expect(channels).to.have.length(1);
    expect(channels[0]!.kinds().filter((kind) => kind === 'abort')).to.have.length(outcomes.size);
  });

  it('allows the caller a timeout longer than the deadline', async () => {
    const { client, channels } = setUp();
    const call = client.call('random', LENGTH, { timeoutMs: 60 * 60_000 });
    const pings = setInterval(() => channels[0]!.receive(PONG), PING_EVERY_MS);
    await clock.tickAsync(59 * 60_000);
    clearInterval(pings);
    channels[0]!.receive(success('c-1', BYTE));
    expect(await call).to.deep.equal(BYTE);
  });

  it('ends a call with a TimeoutError after its timeout, not before', async () => {
    const { client, channels } = setUp();
    const settled = sinon.spy();
    const call = outcomeOf(client.call('random', LENGTH, { timeoutMs: 500 }));
    void call.then(settled);
    await clock.tickAsync(499);
    expect(settled.callCount).to.equal(0);
    await clock.tickAsync(1);
    expect(await call).to.include({ name: 'TimeoutError' });
    expect(channels[0]!.kinds()).to.deep.equal(['request', 'abort']);
  });

  it('keeps the timeout of a call over dropped channels', async () => {
    const { client, channels } = setUp();
    const call = outcomeOf(client.call('random', LENGTH, { timeoutMs: 500 }));
    await clock.tickAsync(400);
    channels[0]!.drop();
    await clock.tickAsync(100);
    expect(await call).to.include({ name: 'TimeoutError' });
  });

  it('reports progress', async () => {
    const { client, channels } = setUp();
    const onProgress = sinon.spy();
    const call = client.call('random', LENGTH, { onProgress });
    channels[0]!.receive(progress('c-1', 5));
    channels[0]!.receive(progress('c-1', 10, 10));
    channels[0]!.receive(success('c-1', BYTE));
    await call;
    expect(onProgress.args).to.deep.equal([[{ bytes: 5 }], [{ bytes: 10, total: 10 }]]);
    expect(channels[0]!.sent[0]).to.include({ follow: true });
  });

  it('does not request progress without a listener', async () => {
    const { client, channels } = setUp();
    void client.call('random', LENGTH);
    await sentAll();
    expect(channels[0]!.sent[0]).not.to.have.property('follow');
  });

  it('reports events', () => {
    const { client, channels } = setUp();
    const onEvent = sinon.spy();
    client.onEvent(onEvent);
    void client.call('random', LENGTH);
    channels[0]!.receive(event('lock'));
    expect(onEvent.args).to.deep.equal([['lock']]);
  });
});

describe('The channel of the client, while calls wait', () => {
  withFakeClock();

  it('pings more often than every 20 s while a call is pending, and never while none is', async () => {
    expect(PING_EVERY_MS).to.be.below(20_000);
    const { client, channels } = setUp();
    const call = client.call('random', LENGTH);
    for (let pings = 1; pings <= 5; pings++) {
      clock.tick(PING_EVERY_MS);
      expect(channels[0]!.kinds().filter((kind) => kind === 'ping')).to.have.length(pings);
      channels[0]!.receive(PONG);
    }
    channels[0]!.receive(success('c-1', BYTE));
    await call;
    clock.tick(10 * PING_EVERY_MS);
    expect(channels[0]!.kinds().filter((kind) => kind === 'ping')).to.have.length(5);
    void client.call('random', LENGTH);
    clock.tick(PING_EVERY_MS);
    expect(channels[0]!.kinds().filter((kind) => kind === 'ping')).to.have.length(6);
  });

  it('replaces a channel that has become silent', async () => {
    const { client, channels } = setUp();
    void client.call('random', LENGTH);
    clock.tick(2 * PING_EVERY_MS - 1);
    expect(channels).to.have.length(1);
    clock.tick(2);
    expect(channels[0]!.isClosed).to.equal(true);
    await sentAll();
    expect(channels[1]!.ids()).to.deep.equal(['c-1']);
  });

  it('keeps a channel whose answer to a ping waited while the document was frozen', () => {
    const { client, channels } = setUp();
    void client.call('random', LENGTH);
    clock.tick(PING_EVERY_MS);
    expect(channels[0]!.kinds()).to.deep.equal(['request', 'ping']);
    clock.jump(10 * PING_EVERY_MS); // every timer that is due runs once, before any message
    channels[0]!.receive(PONG);
    clock.tick(PING_EVERY_MS - 1);
    expect(channels[0]!.isClosed).to.equal(false);
    expect(channels).to.have.length(1);
  });

  it('limits the number of calls and bytes in flight, and sends the next as answers come', async () => {
    const limits = { ...CLIENT_LIMITS, calls: 3, bytes: 10 };
    const { client, channels } = setUp({ limits });
    for (const length of [20, 6, 4, 1]) {
      void client.call('open', { sealed: new Uint8Array(length) });
    }
    const seen: number[] = [];
    for (const id of ['c-1', 'c-2']) {
      await sentAll();
      seen.push(channels[0]!.ids().length);
      channels[0]!.receive(success(id, new Uint8Array(1)));
    }
    await sentAll();
    seen.push(channels[0]!.ids().length);
    expect(seen).to.deep.equal([1, 3, 4]);
  });

  it('limits the number of waiting calls', async () => {
    const { client } = setUp({ limits: { ...CLIENT_LIMITS, waitingCalls: 2 } });
    const calls = [1, 2, 3].map(() => outcomeOf(client.call('random', LENGTH)));
    expect(await calls[2]).to.deep.include({ code: 'QUOTA', data: { retryAfterMs: 1_000 } });
  });

  it('generates ids of 128 bits by default', async () => {
    const channels: FakeChannel[] = [];
    const connect = () => {
      channels.push(new FakeChannel());
      return channels.at(-1)!;
    };
    for (let i = 0; i < 2; i++) void new MethodClient(METHODS, { connect }).call('status', {});
    await sentAll();
    const [one, two] = channels.map((channel) => channel.ids()[0]!);
    expect(one).to.match(/^[0-9a-f]{32}-1$/);
    expect(one).to.not.equal(two);
  });
});
