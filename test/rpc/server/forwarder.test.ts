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
import { Server } from '../../../src/rpc/server/server.ts';
import type { Timers } from '../../../src/rpc/timers.ts';
import { implementations } from '../fake-implementations.ts';
import { memoryLine, PAGE, POPUP } from '../memory-channel.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Reconnects at once. Nothing else here waits for a timer. */
const AT_ONCE: Timers = {
  start: (work, delayMs) => (delayMs <= 100 ? setImmediate(work) : undefined),
  stop: () => undefined,
};
const LIMITS = { callsPerCaller: 8, bytesPerCaller: 1000, bytes: 1000 };

/** `keys` is the one method that the content script serves itself. */
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
    const server = new Server(implementations(given), { timers: AT_ONCE });
    this.client = new MethodClient(METHODS, {
      connect: () => {
        const [near, far] = memoryLine(PAGE);
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

  /** One more page channel; its answers stand among the others. */
  connected(): Channel {
    const [page, content] = memoryLine(PAGE);
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

/** `random`, answered by the test. */
function held() {
  const calls: { readonly call: Call; readonly answer: (bytes: Uint8Array) => void }[] = [];
  const random: Implementations['random'] = (_params, call) =>
    new Promise((answer) => calls.push({ call, answer }));
  return { calls, random };
}

const random: Implementations['random'] = ({ length }) =>
  Promise.resolve(new Uint8Array(length).fill(7));

describe('the forwarder', () => {
  let world: JoinedChannels;
  afterEach(() => world.close());

  it('answers under the ids of the page, and sends ids of its own', async () => {
    const ids: string[] = [];
    world = new JoinedChannels({
      random: ({ length }, { requestId }) => {
        ids.push(requestId);
        return Promise.resolve(new Uint8Array(length));
      },
    });
    const own = world.client.call('random', { length: 1 });
    world.page.send(request('content-1', 'random', { length: 2 }));
    world.page.send(request('x', 'random', { length: 3 }));
    await Promise.all([own, settled()]);
    expect(ids).to.have.members(['content-1', 'content-2', 'content-3']);
    expect((await own).length).to.equal(1);
    const results = world.responses().map((message) => [message.id, message.ok && message.result]);
    expect(results).to.deep.equal([
      ['content-1', new Uint8Array(2)],
      ['x', new Uint8Array(3)],
    ]);
  });

  it('keeps requests with one id apart that come from two channels', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow });
    const second = world.connected();
    world.page.send(request('1', 'random', { length: 1 }));
    second.send(request('1', 'random', { length: 2 }));
    await settled();
    expect(calls).to.have.length(2);
    calls[0]!.answer(new Uint8Array(1));
    calls[1]!.answer(new Uint8Array(2));
    await settled();
    expect(world.responses().map(({ id }) => id)).to.deep.equal(['1', '1']);
    second.close();
  });

  it('serves locally what is not forwarded, and pings', async () => {
    world = new JoinedChannels({});
    world.page.send(PING);
    world.page.send(request('a', 'keys', {}));
    await settled();
    expect(world.served.callCount).to.equal(1);
    expect(world.answers[0]).to.deep.include(PONG);
    expect(world.responses()[0]).to.deep.include({ id: 'a', ok: true });
    expect(world.background).to.have.length(0);
  });

  it('lets no page reach methods of extension pages or of content scripts', async () => {
    world = new JoinedChannels({});
    const refused = Object.keys(METHODS).filter((name) => !Object.hasOwn(PAGE_METHODS, name));
    expect(refused).to.include.members(['ui.unlock', 'releaseSeal', 'stirMovements']);
    for (const name of [...refused, 'toString', '__proto__', 'sealMore']) {
      world.page.send(request(name, name, {}));
    }
    await settled();
    expect(new Set(Object.values(world.codes()))).to.deep.equal(new Set(['UNSUPPORTED']));
    expect(world.responses()).to.have.length(refused.length + 3);
    expect(world.background).to.have.length(0);
  });

  it('leaves validation to the background, whose errors come back as they are', async () => {
    world = new JoinedChannels({ random });
    world.page.send(request('a', 'random', { length: 'many' }));
    world.page.send(request('b', 'random', { length: 1, more: 1 }));
    await settled();
    expect(world.codes()).to.deep.equal({ a: 'INVALID_ARGUMENT', b: 'INVALID_ARGUMENT' });
    const [first] = world.responses();
    expect(first?.ok === false && first.error.message).to.match(/^length: expected an integer/);
  });

  it('sends again under the same ids what was not answered when the line dropped', async () => {
    const ids: string[] = [];
    world = new JoinedChannels({
      random: ({ length }, { requestId }) => {
        ids.push(requestId);
        if (ids.length === 1) world.background[0]!.close();
        return Promise.resolve(new Uint8Array(length));
      },
    });
    world.page.send(request('a', 'random', { length: 4 }));
    await settled();
    await settled();
    expect(world.background).to.have.length(2);
    expect(ids).to.deep.equal(['content-1', 'content-1']);
    expect(world.responses()).to.have.length(1);
    expect(world.responses()[0]).to.deep.include({ id: 'a', result: new Uint8Array(4) });
  });

  it('passes an abort on, and answers an aborted request no more', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow });
    for (const id of ['a', 'b']) world.page.send(request(id, 'random', { length: 1 }));
    await settled();
    const [signal] = calls.map(({ call }) => call.signal);
    world.page.send(abort('a'));
    world.page.send(abort('unknown'));
    await settled();
    expect(signal!.aborted).to.equal(true);
    for (const { answer } of calls) answer(new Uint8Array(1));
    await settled();
    expect(world.responses().map(({ id }) => id)).to.deep.equal(['b']);
  });

  it('aborts the calls of a channel that closes, and those of no other', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow });
    const second = world.connected();
    world.page.send(request('a', 'random', { length: 1 }));
    second.send(request('a', 'random', { length: 1 }));
    await settled();
    const signals = calls.map(({ call }) => call.signal);
    second.close();
    await settled();
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, true]);
  });

  it('passes progress on to who follows a call', async () => {
    world = new JoinedChannels({
      random: ({ length }, call) => {
        call.progress(1, 2);
        call.progress(2, 2);
        return Promise.resolve(new Uint8Array(length));
      },
    });
    world.page.send(request('a', 'random', { length: 1 }, true));
    world.page.send(request('b', 'random', { length: 1 }));
    await settled();
    const told = world.answers.filter((message) => message.kind === 'progress');
    expect(told.map(({ id, bytes }) => [id, bytes])).to.deep.equal([
      ['a', 1],
      ['a', 2],
    ]);
  });

  it('forwards a batch as a batch', async () => {
    world = new JoinedChannels({ random });
    const sent = sinon.spy();
    const requests = ['a', 'b', 'c'].map((id) => request(id, 'random', { length: 1 }));
    world.page.send(request('first', 'random', { length: 1 }));
    await settled();
    const near = sinon.spy(world.background[0]!, 'send');
    world.page.onMessage(sent);
    world.page.send(many(requests));
    await settled();
    expect(near.callCount).to.equal(1);
    expect(near.firstCall.args[0]).to.deep.include({ kind: 'many' });
    expect(sent.callCount).to.equal(1);
    expect((sent.firstCall.args[0] as MessageOf<'many'>).messages).to.have.length(3);
  });

  it('has so many calls in the background at a time, and refuses more than may wait', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow }, 2);
    for (let i = 0; i < 9; i++) world.page.send(request(`${i}`, 'random', { length: 1 }));
    await settled();
    expect(calls).to.have.length(2);
    expect(world.codes()).to.deep.equal({ 8: 'QUOTA' });
    for (let i = 0; i < 8; i++) {
      calls[i]!.answer(new Uint8Array(1));
      await settled();
    }
    expect(world.responses().filter(({ ok }) => ok)).to.have.length(8);
    world.page.send(request('again', 'random', { length: 1 }));
    await settled();
    expect(calls).to.have.length(9);
  });

  it('refuses more bytes than may wait, and takes one call of any size', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow, seal: () => new Promise<never>(() => undefined) });
    const seal = (id: string, bytes: number) =>
      world.page.send(request(id, 'seal', { plaintext: new Uint8Array(bytes) }));
    seal('a', 2000);
    seal('b', 1);
    await settled();
    expect(world.codes()).to.deep.equal({ b: 'QUOTA' });
    world.page.send(abort('a'));
    seal('c', 1);
    await settled();
    expect(world.codes()).to.deep.equal({ b: 'QUOTA' });
    expect(calls).to.deep.equal([]);
  });

  it('refuses an id that comes again for another method, and answers a repetition once', async () => {
    const { calls, random: slow } = held();
    world = new JoinedChannels({ random: slow });
    world.page.send(request('a', 'random', { length: 1 }));
    world.page.send(request('a', 'random', { length: 1 }));
    world.page.send(request('a', 'status', {}));
    await settled();
    expect(calls).to.have.length(1);
    expect(world.codes()).to.deep.equal({ a: 'INVALID_ARGUMENT' });
    calls[0]!.answer(new Uint8Array(1));
    await settled();
    expect(world.responses()).to.have.length(2);
  });

  it('ends its calls DISCONNECTED when the extension has gone', async () => {
    const { random: slow } = held();
    world = new JoinedChannels({ random: slow });
    world.page.send(request('a', 'random', { length: 1 }));
    await settled();
    world.client.close();
    world.page.send(request('b', 'random', { length: 1 }));
    await settled();
    expect(world.codes()).to.deep.equal({ a: 'DISCONNECTED', b: 'DISCONNECTED' });
  });

  it('never throws, and forwards no value that a channel cannot carry', () => {
    world = new JoinedChannels({ random });
    const channel = hostileLine();
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

/** A channel whose other end is the test, and which hands messages over as they are. */
function hostileLine() {
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
