import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import type { Call, Implementations } from '../../../src/rpc/call.ts';
import type { Channel } from '../../../src/rpc/channel.ts';
import { CLIENT_LIMITS, MethodClient } from '../../../src/rpc/client/method-client.ts';
import { abort, many, parseMessage, PING, PONG, request } from '../../../src/rpc/envelope.ts';
import type { Message, MessageOf } from '../../../src/rpc/envelope.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';
import { Forwarder } from '../../../src/rpc/server/forwarder.ts';
import { MethodServer } from '../../../src/rpc/server/method-server.ts';
import type { Timers } from '../../../src/rpc/timers.ts';
import { implementations } from '../fake-implementations.ts';
import { memoryChannel, PAGE, POPUP } from '../memory-channel.ts';
import { turns } from '../../support/turns.ts';

const settled = turns;
/** Reconnects at once. There are no other timers here. */
const AT_ONCE: Timers = {
  start: (work, delayMs) => (delayMs <= 100 ? setImmediate(work) : undefined),
  stop: () => undefined,
};
const LIMITS = { callsPerCaller: 8, bytesPerCaller: 1000, bytes: 1000 };

/** `keys` is the only method that the content script serves itself. */
const LOCAL = { keys: PAGE_METHODS.keys };

/** A page, a content script with a forwarder, and the background, joined by channels in memory. */
class JoinedChannels {
  readonly answers: Message[] = [];
  readonly background: Channel[] = [];
  readonly client: MethodClient<typeof METHODS>;
  readonly page: Channel;
  readonly served = sinon.spy(() => Promise.resolve([]));
  readonly #forwarder: Forwarder;

  constructor(given: Partial<Implementations>, calls = CLIENT_LIMITS.calls) {
    const server = new MethodServer(METHODS, implementations(given), { timers: AT_ONCE });
    this.client = new MethodClient(METHODS, {
      connect: () => {
        const [near, far] = memoryChannel(PAGE);
        this.background.push(far);
        server.attach(far);
        return near;
      },
      timers: AT_ONCE,
      idPrefix: 'content',
      limits: { ...CLIENT_LIMITS, calls },
    });
    this.#forwarder = new Forwarder({
      isForwarded: (method) => Object.hasOwn(PAGE_METHODS, method) && !Object.hasOwn(LOCAL, method),
      target: this.client,
      local: new MethodServer(LOCAL, { keys: this.served }, { later: (work) => work() }),
      limits: LIMITS,
      later: (work) => setImmediate(work),
    });
    this.page = this.connected();
  }

  /** Connects a further page channel, whose answers are collected with the others. */
  connected(): Channel {
    const [page, content] = memoryChannel(PAGE);
    page.onMessage((raw) => {
      const message = parseMessage(raw)!;
      const all = message.kind === 'many' ? message.messages.map(parseMessage) : [message];
      this.answers.push(...(all as Message[]));
    });
    this.#forwarder.attach(content);
    return page;
  }

  responses(): MessageOf<'response'>[] {
    return this.answers.filter((message) => message.kind === 'response');
  }

  /** The codes of all failed answers, by request id. */
  codes(): Record<string, string> {
    const failed = this.responses().flatMap((message) => (message.ok ? [] : [message]));
    return Object.fromEntries(failed.map(({ id, error }) => [id, error.code]));
  }

  close(): void {
    this.client.close();
    this.page.close();
  }
}

/** `random`, which the test answers. */
function held() {
  const calls: { readonly call: Call; readonly answer: (bytes: Uint8Array) => void }[] = [];
  const random: Implementations['random'] = (_params, call) =>
    new Promise((answer) => calls.push({ call, answer }));
  return { calls, random };
}

const random: Implementations['random'] = ({ length }) =>
  Promise.resolve(new Uint8Array(length).fill(7));

describe('the forwarder', () => {
  let joined: JoinedChannels;
  afterEach(() => joined.close());

  it('answers with the ids of the page, and forwards with its own ids', async () => {
    const ids: string[] = [];
    joined = new JoinedChannels({
      random: ({ length }, { requestId }) => {
        ids.push(requestId);
        return Promise.resolve(new Uint8Array(length));
      },
    });
    const own = joined.client.call('random', { length: 1 });
    joined.page.send(request('content-1', 'random', { length: 2 }));
    joined.page.send(request('x', 'random', { length: 3 }));
    await Promise.all([own, settled()]);
    expect(ids).to.have.members(['content-1', 'content-2', 'content-3']);
    expect((await own).length).to.equal(1);
    const results = joined.responses().map((message) => [message.id, message.ok && message.result]);
    expect(results).to.deep.equal([
      ['content-1', new Uint8Array(2)],
      ['x', new Uint8Array(3)],
    ]);
  });

  it('separates requests of two channels with the same id', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow });
    const second = joined.connected();
    joined.page.send(request('1', 'random', { length: 1 }));
    second.send(request('1', 'random', { length: 2 }));
    await settled();
    expect(calls).to.have.length(2);
    calls[0]!.answer(new Uint8Array(1));
    calls[1]!.answer(new Uint8Array(2));
    await settled();
    expect(joined.responses().map(({ id }) => id)).to.deep.equal(['1', '1']);
    second.close();
  });

  it('serves local methods and pings itself', async () => {
    joined = new JoinedChannels({});
    joined.page.send(PING);
    joined.page.send(request('a', 'keys', {}));
    await settled();
    expect(joined.served.callCount).to.equal(1);
    expect(joined.answers[0]).to.deep.include(PONG);
    expect(joined.responses()[0]).to.deep.include({ id: 'a', ok: true });
    expect(joined.background).to.have.length(0);
  });

  it('refuses methods of extension pages and of content scripts', async () => {
    joined = new JoinedChannels({});
    const refused = Object.keys(METHODS).filter((name) => !Object.hasOwn(PAGE_METHODS, name));
    expect(refused).to.include.members(['ui.unlock', 'releaseSeal', 'stirMovements']);
    for (const name of [...refused, 'toString', '__proto__', 'sealMore']) {
      joined.page.send(request(name, name, {}));
    }
    await settled();
    expect(new Set(Object.values(joined.codes()))).to.deep.equal(new Set(['UNSUPPORTED']));
    expect(joined.responses()).to.have.length(refused.length + 3);
    expect(joined.background).to.have.length(0);
  });

  it('leaves validation to the background, and returns its errors unchanged', async () => {
    joined = new JoinedChannels({ random });
    joined.page.send(request('a', 'random', { length: 'many' }));
    joined.page.send(request('b', 'random', { length: 1, more: 1 }));
    await settled();
    expect(joined.codes()).to.deep.equal({ a: 'INVALID_ARGUMENT', b: 'INVALID_ARGUMENT' });
    const [first] = joined.responses();
    expect(first?.ok === false && first.error.message).to.match(/^length: expected an integer/);
  });

  it('repeats unanswered requests with the same ids after the channel dropped', async () => {
    const ids: string[] = [];
    joined = new JoinedChannels({
      random: ({ length }, { requestId }) => {
        ids.push(requestId);
        if (ids.length === 1) joined.background[0]!.close();
        return Promise.resolve(new Uint8Array(length));
      },
    });
    joined.page.send(request('a', 'random', { length: 4 }));
    await settled();
    await settled();
    expect(joined.background).to.have.length(2);
    expect(ids).to.deep.equal(['content-1', 'content-1']);
    expect(joined.responses()).to.have.length(1);
    expect(joined.responses()[0]).to.deep.include({ id: 'a', result: new Uint8Array(4) });
  });

  it('forwards an abort, and does not answer an aborted request', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow });
    for (const id of ['a', 'b']) joined.page.send(request(id, 'random', { length: 1 }));
    await settled();
    const [signal] = calls.map(({ call }) => call.signal);
    joined.page.send(abort('a'));
    joined.page.send(abort('unknown'));
    await settled();
    expect(signal!.aborted).to.equal(true);
    for (const { answer } of calls) answer(new Uint8Array(1));
    await settled();
    expect(joined.responses().map(({ id }) => id)).to.deep.equal(['b']);
  });

  it('aborts the calls of a channel that closes, and those of no other', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow });
    const second = joined.connected();
    joined.page.send(request('a', 'random', { length: 1 }));
    second.send(request('a', 'random', { length: 1 }));
    await settled();
    const signals = calls.map(({ call }) => call.signal);
    second.close();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, true]);
  });

  it('forwards the progress of calls that request it', async () => {
    joined = new JoinedChannels({
      random: ({ length }, call) => {
        call.progress(1, 2);
        call.progress(2, 2);
        return Promise.resolve(new Uint8Array(length));
      },
    });
    joined.page.send(request('a', 'random', { length: 1 }, true));
    joined.page.send(request('b', 'random', { length: 1 }));
    await settled();
    const told = joined.answers.filter((message) => message.kind === 'progress');
    expect(told.map(({ id, bytes }) => [id, bytes])).to.deep.equal([
      ['a', 1],
      ['a', 2],
    ]);
  });

  it('forwards a batch as a batch', async () => {
    joined = new JoinedChannels({ random });
    const sent = sinon.spy();
    const requests = ['a', 'b', 'c'].map((id) => request(id, 'random', { length: 1 }));
    joined.page.send(request('first', 'random', { length: 1 }));
    await settled();
    const near = sinon.spy(joined.background[0]!, 'send');
    joined.page.onMessage(sent);
    joined.page.send(many(requests));
    await settled();
    expect(near.callCount).to.equal(1);
    expect(near.firstCall.args[0]).to.deep.include({ kind: 'many' });
    expect(sent.callCount).to.equal(1);
    expect((sent.firstCall.args[0] as MessageOf<'many'>).messages).to.have.length(3);
  });

  it('limits the calls in the background, and those that wait', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow }, 2);
    for (let i = 0; i < 9; i++) joined.page.send(request(`${i}`, 'random', { length: 1 }));
    await settled();
    expect(calls).to.have.length(2);
    expect(joined.codes()).to.deep.equal({ 8: 'QUOTA' });
    for (let i = 0; i < 8; i++) {
      calls[i]!.answer(new Uint8Array(1));
      await settled();
    }
    expect(joined.responses().filter(({ ok }) => ok)).to.have.length(8);
    joined.page.send(request('again', 'random', { length: 1 }));
    await settled();
    expect(calls).to.have.length(9);
  });

  it('limits the bytes that wait, and accepts one call of any size', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow, seal: () => new Promise<never>(() => undefined) });
    const seal = (id: string, bytes: number) =>
      joined.page.send(request(id, 'seal', { plaintext: new Uint8Array(bytes) }));
    seal('a', 2000);
    seal('b', 1);
    await settled();
    expect(joined.codes()).to.deep.equal({ b: 'QUOTA' });
    joined.page.send(abort('a'));
    seal('c', 1);
    await settled();
    expect(joined.codes()).to.deep.equal({ b: 'QUOTA' });
    expect(calls).to.deep.equal([]);
  });

  it('refuses a repeated id with another method, and answers a repetition once', async () => {
    const { calls, random: slow } = held();
    joined = new JoinedChannels({ random: slow });
    joined.page.send(request('a', 'random', { length: 1 }));
    joined.page.send(request('a', 'random', { length: 1 }));
    joined.page.send(request('a', 'status', {}));
    await settled();
    expect(calls).to.have.length(1);
    expect(joined.codes()).to.deep.equal({ a: 'INVALID_ARGUMENT' });
    calls[0]!.answer(new Uint8Array(1));
    await settled();
    expect(joined.responses()).to.have.length(2);
  });

  it('ends its calls with DISCONNECTED when the extension is gone', async () => {
    const { random: slow } = held();
    joined = new JoinedChannels({ random: slow });
    joined.page.send(request('a', 'random', { length: 1 }));
    await settled();
    joined.client.close();
    joined.page.send(request('b', 'random', { length: 1 }));
    await settled();
    expect(joined.codes()).to.deep.equal({ a: 'DISCONNECTED', b: 'DISCONNECTED' });
  });

  it('never throws, and forwards no value that a channel cannot carry', () => {
    joined = new JoinedChannels({ random });
    const channel = hostileChannel();
    const forward = sinon.spy(() => () => undefined);
    new Forwarder({
      isForwarded: () => true,
      target: { forward },
      local: { attach: () => undefined },
      limits: LIMITS,
      later: (work) => work(),
    }).attach(channel);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const thrower = {
      get length() {
        throw new Error('a getter');
      },
    };
    const params = [
      cyclic,
      thrower,
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('a proxy');
          },
        },
      ),
      { bytes: new Uint8Array(new SharedArrayBuffer(4)) },
      { length: 1n },
      { length: () => 1 },
      { length: Symbol('one') },
      { length: '\ud800' },
      { ['x'.repeat(65)]: new Uint8Array(1) },
      new Array(2 ** 32 - 1),
      Array.from({ length: 20_001 }, () => 1),
      { text: 'x'.repeat(5 * 2 ** 20) },
      { bytes: new Uint8Array(90 * 2 ** 20) },
    ];
    params.forEach((one, i) => channel.receive(request(`${i}`, 'random', one)));
    expect(forward.callCount).to.equal(0);
    const codes = channel.sent.map(
      (message) => (message as { error?: { code: string } }).error?.code,
    );
    expect(codes).to.deep.equal([
      ...Array.from({ length: 9 }, () => 'INVALID_ARGUMENT'),
      ...Array.from({ length: 4 }, () => 'TOO_LARGE'),
    ]);
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withTypedArray: true }),
        (value) => {
          channel.receive(value);
          channel.receive({ v: 1, kind: 'request', id: 'x', method: 'random', params: value });
          channel.receive({ v: 1, kind: 'abort', id: value });
          channel.receive({ v: 1, kind: 'many', messages: [value, abort('x')] });
        },
      ),
    );
  });
});

/** A channel whose other end is the test. It delivers messages without a copy. */
function hostileChannel() {
  let listener: (message: unknown) => void = () => undefined;
  const sent: unknown[] = [];
  const channel: Channel = {
    peer: POPUP,
    send: (message) => sent.push(...(messagesIn(message) as unknown[])),
    onMessage: (given) => (listener = given),
    onClose: () => undefined,
    close: () => undefined,
  };
  return { ...channel, sent, receive: (message: unknown) => listener(message) };
}

function messagesIn(message: unknown): readonly unknown[] {
  const parsed = parseMessage(message);
  return parsed?.kind === 'many' ? parsed.messages : [message];
}
