import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import type { Call } from '../../../src/rpc/call.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { abort, parseMessage, PING, PONG, request } from '../../../src/rpc/envelope.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { FairQueue } from '../../../src/rpc/server/fair-queue.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import type { MethodName } from '../../../src/rpc/methods/methods.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';
import { type Methods } from '../../../src/rpc/methods/methods.ts';
import { MethodServer } from '../../../src/rpc/server/method-server.ts';
import { implementations } from '../fake-implementations.ts';
import { PAGE, POPUP } from '../memory-channel.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { turns } from '../../support/turns.ts';

/** A channel whose other end is the test. */
class FakeChannel implements Channel {
  readonly peer: Caller;
  readonly sent: unknown[] = [];
  receive: (message: unknown) => void = () => undefined;
  drop: () => void = () => undefined;

  constructor(peer: Caller) {
    this.peer = peer;
  }
  send(message: unknown): void {
    const parsed = parseMessage(message);
    if (parsed?.kind === 'many') this.sent.push(...parsed.messages);
    else this.sent.push(message);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.receive = listener;
  }
  onClose(listener: () => void): void {
    this.drop = listener;
  }
  close(): void {
    this.drop();
  }
}

function attached(server: MethodServer<Methods>, peer: Caller = PAGE): FakeChannel {
  const channel = new FakeChannel(peer);
  server.attach(channel);
  return channel;
}

/** Answers may wait for others until the end of the task. */
const answered = turns;
const SIXTEEN = { length: 16 };

/** An implementation of `random` that the test resolves. */
function held() {
  const calls: Call[] = [];
  const answers: ((result: Uint8Array) => void)[] = [];
  const random = sinon.spy((_params: { length: number }, call: Call) => {
    calls.push(call);
    return new Promise<Uint8Array>((resolve) => answers.push(resolve));
  });
  const server = new MethodServer(METHODS, implementations({ random }));
  return { server, random, calls, answers, answer: () => answers.at(-1)! };
}

const never = () => new Promise<never>(() => undefined);

function codeIn(message: unknown): string | undefined {
  const parsed = parseMessage(message);
  return parsed?.kind === 'response' && !parsed.ok ? parsed.error.code : undefined;
}

const NAMES = Object.keys(METHODS) as MethodName[];
const PAGE_NAMES = Object.keys(PAGE_METHODS);

/** Methods with few required parameters, so that some random requests are valid. */
const UNDEMANDING: readonly (keyof typeof PAGE_METHODS)[] = [
  'status',
  'random',
  'grants',
  'revoke',
  'open',
];

/** The fields of all methods, with values of which some are valid for some method. */
const nearlyParams = fc.dictionary(
  fc.constantFrom('length', 'sealed', 'armored', 'grantIds', 'key', 'purpose', 'capabilities'),
  fc.oneof(
    fc.integer({ min: 0, max: 64 }),
    fc.uint8Array({ maxLength: 8 }),
    fc.string({ minLength: 1 }),
    fc.array(fc.constantFrom('seal', 'open', 'x')),
    fc.anything({ withNullPrototype: true, withTypedArray: true }),
  ),
  { maxKeys: 2 },
);

const nearlyRequest = fc.record({
  v: fc.constant(1),
  kind: fc.constant('request'),
  id: fc.constantFrom('r1', 'r2', 'r3'),
  method: fc.oneof(fc.constantFrom(...UNDEMANDING), fc.constantFrom(...PAGE_NAMES)),
  params: nearlyParams,
});

const hostileMessage = fc.oneof(
  nearlyRequest,
  fc.anything({ withNullPrototype: true, withTypedArray: true }),
  fc.record({
    v: fc.constantFrom(1, 2),
    kind: fc.constantFrom('request', 'abort', 'ping', 'response', 'parcel', '__proto__'),
    id: fc.constantFrom('r1', 'r2', '', '__proto__'),
    method: fc.constantFrom(...NAMES, '__proto__', 'constructor'),
    params: fc.oneof(fc.object(), fc.record({ length: fc.integer() }), fc.anything()),
  }),
);

describe('the server', () => {
  it('answers a call with the result, with the id of the request', async () => {
    const random = ({ length }: { length: number }) => Promise.resolve(new Uint8Array(length));
    const channel = attached(new MethodServer(METHODS, implementations({ random })));
    channel.receive(request('r1', 'random', SIXTEEN));
    await settled();
    expect(channel.sent).to.deep.equal([
      { v: 1, kind: 'response', id: 'r1', ok: true, result: new Uint8Array(16) },
    ]);
  });

  it('answers at once if an implementation is synchronous, also with a failure or a wrong result', () => {
    const answers: ((params: { length: number }) => Uint8Array)[] = [
      ({ length }) => new Uint8Array(length),
      () => {
        throw new SealwrightError('LOCKED', 'closed');
      },
      () => 7 as never,
    ];
    for (const [i, random] of answers.entries()) {
      const channel = attached(new MethodServer(METHODS, { ...implementations({}), random }));
      channel.receive(request(`r${i}`, 'random', SIXTEEN));
      const [answer] = channel.sent as {
        ok: boolean;
        result?: Uint8Array;
        error?: { code: string };
      }[];
      expect(channel.sent).to.have.length(1);
      expect(answer!.error?.code ?? answer!.result?.length).to.equal([16, 'LOCKED', 'INTERNAL'][i]);
    }
  });

  it('gives the implementation the caller of the channel, not that of the message', async () => {
    const { server, calls } = held();
    attached(server).receive({ ...request('r1', 'random', SIXTEEN) });
    attached(server).receive({ ...request('r2', 'random', SIXTEEN), caller: POPUP });
    await settled();
    expect(calls.map(({ caller, requestId }) => [caller, requestId])).to.deep.equal([[PAGE, 'r1']]);
  });

  it('refuses methods that are not in the table or not for this caller', async () => {
    const channel = attached(new MethodServer(METHODS, implementations({})));
    for (const name of ['nothing', '__proto__', 'constructor', 'ui.state', 'toString', '']) {
      channel.receive(request(`r-${name}`, name, {}));
    }
    const popup = attached(new MethodServer(METHODS, implementations({})), POPUP);
    popup.receive(request('r1', 'random', SIXTEEN));
    await settled();
    const codes = [...channel.sent, ...popup.sent].map(codeIn);
    expect(codes).to.deep.equal(Array.from({ length: 7 }, () => 'UNSUPPORTED'));
  });

  it('refuses parameters that the table does not list, with the name of the field', async () => {
    const { server, random } = held();
    const channel = attached(server);
    channel.receive(request('r1', 'random', { length: -1 }));
    channel.receive(request('r2', 'random', { length: 1, more: 1 }));
    channel.receive(request('r3', 'random', undefined));
    await settled();
    expect(channel.sent.map(codeIn)).to.deep.equal(Array(3).fill('INVALID_ARGUMENT'));
    expect(JSON.stringify(channel.sent[0])).to.contain('length: expected');
    expect(random.callCount).to.equal(0);
  });

  it('answers every failure of an implementation', async () => {
    const fail = [
      () => Promise.reject(new SealwrightError('LOCKED', 'Locked')),
      () => Promise.reject(new Error('secret')),
      () => {
        throw new Error('secret');
      },
      () => Promise.resolve('no bytes' as never),
    ];
    for (const [i, random] of fail.entries()) {
      const channel = attached(new MethodServer(METHODS, implementations({ random })));
      channel.receive(request('r1', 'random', SIXTEEN));
      await settled();
      expect(codeIn(channel.sent[0])).to.equal(i === 0 ? 'LOCKED' : 'INTERNAL');
      expect(JSON.stringify(channel.sent)).to.not.contain('secret');
    }
  });

  it('never throws, and never calls an implementation with unvalidated parameters', async () => {
    let validated = 0;
    const checking = (method: MethodName) => (params: unknown) => {
      expect(Object.getPrototypeOf(params), 'built by the validator').to.equal(null);
      METHODS[method].params(params, ''); // throws if it was not validated
      validated++;
      return Promise.reject(new SealwrightError('LOCKED', 'Locked'));
    };
    const all = Object.fromEntries(NAMES.map((name) => [name, checking(name)]));
    await fc.assert(
      fc.asyncProperty(fc.array(hostileMessage, { maxLength: 5 }), async (messages) => {
        const channel = attached(new MethodServer(METHODS, all as never));
        for (const message of messages) channel.receive(message);
        await settled();
        expect(channel.sent.map(codeIn), 'raw parameters seen').to.not.include('INTERNAL');
      }),
      { numRuns: 500 },
    );
    expect(validated, 'valid calls').to.be.greaterThan(20);
  });

  it('answers INTERNAL for parameters that throw when they are read', async () => {
    const trap = (): never => {
      throw new Error('trap');
    };
    const throwing = new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap, ownKeys: trap });
    const channel = attached(new MethodServer(METHODS, implementations({})));
    channel.receive(throwing);
    channel.receive(request('r1', 'random', throwing));
    await settled();
    expect(channel.sent.map(codeIn)).to.deep.equal(['INTERNAL']);
  });

  it('cancels on abort, and does not answer', async () => {
    const { server, calls, answer } = held();
    const channel = attached(server);
    channel.receive(request('r1', 'random', SIXTEEN));
    channel.receive(abort('r1'));
    expect(calls[0]!.signal.aborted).to.equal(true);
    answer()(new Uint8Array(16));
    await settled();
    expect(channel.sent).to.deep.equal([]);
  });

  it('notifies listeners of an abort, with or without a signal', () => {
    const { server, calls } = held();
    const channel = attached(server);
    for (const id of ['r1', 'r2']) channel.receive(request(id, 'random', SIXTEEN));
    const told: string[] = [];
    calls[0]!.onAbort(() => told.push('first'));
    calls[0]!.onAbort(() => told.push('second'));
    calls[1]!.onAbort(() => told.push('other'));
    const { signal } = calls[0]!;
    expect(calls[0]!.signal, 'one for each call').to.equal(signal);
    channel.receive(abort('r1'));
    expect(told).to.deep.equal(['first', 'second']);
    expect(signal.aborted).to.equal(true);
    expect(calls[1]!.signal.aborted).to.equal(false);
  });

  it('lets no caller abort, join or repeat the call of another document', async () => {
    const { server, calls, random, answer } = held();
    const channel = attached(server);
    const stranger = attached(server, { ...PAGE, documentId: 'D2' } as Caller);
    channel.receive(request('r1', 'random', SIXTEEN));
    stranger.receive(abort('r1'));
    stranger.receive(request('r1', 'random', SIXTEEN));
    expect(random.callCount).to.equal(2);
    expect(calls[0]!.signal.aborted).to.equal(false);
    answer()(new Uint8Array(16));
    await settled();
    expect([channel.sent.length, stranger.sent.length]).to.deep.equal([0, 1]);
  });

  it('joins a repeated request on a new channel to the one in flight', async () => {
    const { server, random, answer } = held();
    const old = attached(server);
    old.receive(request('r1', 'random', SIXTEEN));
    old.drop();
    const fresh = attached(server);
    fresh.receive(request('r1', 'random', SIXTEEN));
    answer()(new Uint8Array(16));
    await settled();
    expect([random.callCount, old.sent.length, fresh.sent.length]).to.deep.equal([1, 0, 1]);
  });

  it('refuses a repeated id with another method', async () => {
    const { server } = held();
    const channel = attached(server);
    channel.receive(request('r1', 'random', SIXTEEN));
    channel.receive(request('r1', 'status', {}));
    await answered();
    expect(channel.sent.map(codeIn)).to.deep.equal(['INVALID_ARGUMENT']);
  });

  it('cancels the calls of a channel that drops and is not replaced within 2 s', () => {
    const clock = sinon.useFakeTimers();
    try {
      const { server, calls } = held();
      const channel = attached(server);
      channel.receive(request('r1', 'random', SIXTEEN));
      channel.drop();
      clock.tick(1_999);
      expect(calls[0]!.signal.aborted).to.equal(false);
      clock.tick(1);
      expect(calls[0]!.signal.aborted).to.equal(true);
    } finally {
      clock.restore();
    }
  });

  it('answers pings', () => {
    const { server } = held();
    const channel = attached(server);
    channel.receive(PING);
    expect(channel.sent).to.deep.equal([PONG]);
  });

  it('limits the calls and bytes of one origin and of all, and releases those that ended', async () => {
    const { calls, random, answers } = held();
    const limits = { callsPerCaller: 2, bytesPerCaller: 10, bytes: 15 };
    const server = new MethodServer(METHODS, implementations({ random, open: never }), { limits });
    const channel = attached(server);
    for (const id of ['r1', 'r2', 'r3']) channel.receive(request(id, 'random', SIXTEEN));
    await answered();
    expect(channel.sent.map(codeIn)).to.deep.equal(['QUOTA']);
    channel.receive(abort('r1'));
    channel.receive(request('r4', 'random', SIXTEEN));
    await answered();
    expect(channel.sent.map(codeIn), 'it works on').to.deep.equal(['QUOTA', 'QUOTA']);
    answers[0]!(new Uint8Array(1));
    await settled();
    channel.receive(request('r5', 'random', SIXTEEN));
    expect(calls).to.have.length(3);
    const sealed = (length: number) => ({ sealed: new Uint8Array(length) });
    const [second, third] = ['https://b.example', 'https://c.example'].map((origin) =>
      attached(server, { ...PAGE, origin, documentId: origin } as Caller),
    );
    second!.receive(request('r1', 'open', sealed(9)));
    second!.receive(request('r2', 'open', sealed(2)));
    third!.receive(request('r1', 'open', sealed(7)));
    third!.receive(request('r2', 'open', sealed(6)));
    await answered();
    expect(second!.sent.map(codeIn)).to.deep.equal(['QUOTA']);
    expect(third!.sent.map(codeIn)).to.deep.equal(['QUOTA']);
    await settled();
  });

  it('bounds the bytes of pages apart from those of its own pages', async () => {
    const limits = { callsPerCaller: 9, bytesPerCaller: 10, bytes: 10 };
    const server = new MethodServer(
      METHODS,
      implementations({ open: never, 'ui.openFile': never }),
      {
        limits,
      },
    );
    const [page, popup] = [attached(server), attached(server, POPUP)];
    const sealed = { sealed: new Uint8Array(10) };
    page.receive(request('r1', 'open', sealed));
    popup.receive(request('r1', 'ui.openFile', { file: new Uint8Array(10) }));
    page.receive(request('r2', 'open', sealed));
    await answered();
    expect([page, popup].map(({ sent }) => sent.map(codeIn))).to.deep.equal([['QUOTA'], []]);
  });

  describe('progress', () => {
    const random = (_: unknown, call: Call) => {
      for (let done = 1; done <= 100; done++) call.progress(done, 100);
      return Promise.resolve(new Uint8Array(1));
    };
    async function told(follow: boolean) {
      const channel = attached(new MethodServer(METHODS, implementations({ random })));
      channel.receive(request('r1', 'random', { length: 1 }, follow));
      await settled();
      return channel.sent.map(parseMessage).filter((message) => message?.kind === 'progress');
    }

    it('is sent if it is requested, not too often, and always at the end', async () => {
      const messages = await told(true);
      expect(messages.length).to.be.within(2, 50);
      expect({ ...messages.at(-1) }).to.include({ bytes: 100, total: 100 });
    });

    it('is not sent if it is not requested', async () => {
      expect(await told(false)).to.deep.equal([]);
    });
  });
});

describe('the places of calls', () => {
  it('alternates origins, and serves extension pages at once', async () => {
    const queue = new FairQueue(setImmediate, () => 0);
    const { random, calls, answers } = held();
    const server = new MethodServer(
      METHODS,
      implementations({ random, 'ui.state': never, connect: never }),
      {
        queue,
      },
    );
    const busy = attached(server);
    for (let i = 0; i < 4; i++) busy.receive(request(`r${i}`, 'random', SIXTEEN));
    expect(calls, 'of four, those that may begin').to.have.length(2);
    const other = { ...PAGE, origin: 'https://b.example', documentId: 'B' } as Caller;
    attached(server, other).receive(request('o1', 'random', SIXTEEN));
    expect(calls[2]!.caller).to.equal(other);
    busy.receive(abort('r3'));
    busy.receive(abort('r0'));
    await settled();
    expect(calls, 'the first works on').to.have.length(3);
    answers[0]!(new Uint8Array(1));
    await settled();
    expect(calls.map(({ requestId }) => requestId)).to.deep.equal(['r0', 'r1', 'o1', 'r2']);
  });

  it('gives the place of a call to others when what it began has ended, answered or not', async () => {
    const queue = new FairQueue(setImmediate, () => 0);
    const ends: (() => void)[] = [];
    const random = (_: unknown, call: Call) => {
      call.goesOn(new Promise<void>((resolve) => ends.push(resolve)));
      return Promise.resolve(new Uint8Array(1));
    };
    const channel = attached(new MethodServer(METHODS, implementations({ random }), { queue }));
    for (const id of ['r1', 'r2', 'r3']) channel.receive(request(id, 'random', { length: 1 }));
    await answered();
    expect(channel.sent).to.have.length(2);
    ends[0]!();
    await answered();
    expect(channel.sent).to.have.length(3);
  });

  it('keeps nothing of a call that is cancelled while it waits', async () => {
    const queue = new FairQueue(setImmediate, () => 0);
    const server = new MethodServer(METHODS, implementations({ random: never, open: never }), {
      queue,
    });
    const channel = attached(server);
    for (const id of ['r1', 'r2']) channel.receive(request(id, 'random', SIXTEEN));
    const payloads = Array.from({ length: 20 }, (_, i) => {
      const sealed = new Uint8Array(1024 * 1024);
      channel.receive(request(`w${i}`, 'open', { sealed }));
      channel.receive(abort(`w${i}`));
      return new WeakRef(sealed);
    });
    await settled();
    collectGarbage();
    expect(payloads.filter((payload) => payload.deref() !== undefined)).to.deep.equal([]);
  });
});
