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
import { Server } from '../../../src/rpc/server/server.ts';
import { implementations } from '../fake-implementations.ts';
import { PAGE, POPUP } from '../memory-channel.ts';

/** A line whose other end is the test. */
class Line implements Channel {
  readonly peer: Caller;
  readonly sent: unknown[] = [];
  receive: (message: unknown) => void = () => undefined;
  hangUp: () => void = () => undefined;

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
    this.hangUp = listener;
  }
  close(): void {
    this.hangUp();
  }
}

function attached(server: Server, peer: Caller = PAGE): Line {
  const line = new Line(peer);
  server.attach(line);
  return line;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Answers wait up to a task for others that are owed. */
const answered = () => new Promise((resolve) => setTimeout(resolve, 5));
const SIXTEEN = { length: 16 };

/** An implementation of `random` that the test answers when it likes. */
function held() {
  const calls: Call[] = [];
  let answer: (result: Uint8Array) => void = () => undefined;
  const random = sinon.spy((_params: { length: number }, call: Call) => {
    calls.push(call);
    return new Promise<Uint8Array>((resolve) => (answer = resolve));
  });
  return { server: new Server(implementations({ random })), random, calls, answer: () => answer };
}

const never = () => new Promise<never>(() => undefined);

function codeOf(message: unknown): string | undefined {
  const parsed = parseMessage(message);
  return parsed?.kind === 'response' && !parsed.ok ? parsed.error.code : undefined;
}

const NAMES = Object.keys(METHODS) as MethodName[];
const PAGE_NAMES = Object.keys(PAGE_METHODS);

/** However many methods there are, some requests have to come through: these ask for little. */
const EASILY_PLEASED: readonly (keyof typeof PAGE_METHODS)[] = [
  'status',
  'random',
  'grants',
  'revoke',
  'inspect',
];

/** Every field that some method has, with values of which some method accepts some. */
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
  method: fc.oneof(fc.constantFrom(...EASILY_PLEASED), fc.constantFrom(...PAGE_NAMES)),
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
  it('answers a call with the result, under the id of the request', async () => {
    const random = ({ length }: { length: number }) => Promise.resolve(new Uint8Array(length));
    const line = attached(new Server(implementations({ random })));
    line.receive(request('r1', 'random', SIXTEEN));
    await settled();
    expect(line.sent).to.deep.equal([
      { v: 1, kind: 'response', id: 'r1', ok: true, result: new Uint8Array(16) },
    ]);
  });

  it('answers at once what an implementation has at hand, a failure and a wrong result too', () => {
    const answers: ((params: { length: number }) => Uint8Array)[] = [
      ({ length }) => new Uint8Array(length),
      () => {
        throw new SealwrightError('LOCKED', 'closed');
      },
      () => 7 as never,
    ];
    for (const [i, random] of answers.entries()) {
      const line = attached(new Server({ ...implementations({}), random }));
      line.receive(request(`r${i}`, 'random', SIXTEEN));
      const [answer] = line.sent as {
        ok: boolean;
        result?: Uint8Array;
        error?: { code: string };
      }[];
      expect(line.sent).to.have.length(1);
      expect(answer!.error?.code ?? answer!.result?.length).to.equal([16, 'LOCKED', 'INTERNAL'][i]);
    }
  });

  it('gives the implementation the caller of the channel, whatever the message says', async () => {
    const { server, calls } = held();
    attached(server).receive({ ...request('r1', 'random', SIXTEEN) });
    attached(server).receive({ ...request('r2', 'random', SIXTEEN), caller: POPUP });
    await settled();
    expect(calls.map(({ caller, requestId }) => [caller, requestId])).to.deep.equal([[PAGE, 'r1']]);
  });

  it('knows no method that is not in the table or not for this caller', async () => {
    const line = attached(new Server(implementations({})));
    for (const name of ['nothing', '__proto__', 'constructor', 'ui.state', 'toString', '']) {
      line.receive(request(`r-${name}`, name, {}));
    }
    const popup = attached(new Server(implementations({})), POPUP);
    popup.receive(request('r1', 'random', SIXTEEN));
    await settled();
    const codes = [...line.sent, ...popup.sent].map(codeOf);
    expect(codes).to.deep.equal(Array.from({ length: 7 }, () => 'UNSUPPORTED'));
  });

  it('refuses parameters that the table does not list, naming the field', async () => {
    const { server, random } = held();
    const line = attached(server);
    line.receive(request('r1', 'random', { length: -1 }));
    line.receive(request('r2', 'random', { length: 1, more: 1 }));
    line.receive(request('r3', 'random', undefined));
    await settled();
    expect(line.sent.map(codeOf)).to.deep.equal(Array(3).fill('INVALID_ARGUMENT'));
    expect(JSON.stringify(line.sent[0])).to.contain('length: expected');
    expect(random.callCount).to.equal(0);
  });

  it('turns every failure of an implementation into a response', async () => {
    const fail = [
      () => Promise.reject(new SealwrightError('LOCKED', 'Locked')),
      () => Promise.reject(new Error('secret')),
      () => {
        throw new Error('secret');
      },
      () => Promise.resolve('no bytes' as never),
    ];
    for (const [i, random] of fail.entries()) {
      const line = attached(new Server(implementations({ random })));
      line.receive(request('r1', 'random', SIXTEEN));
      await settled();
      expect(codeOf(line.sent[0])).to.equal(i === 0 ? 'LOCKED' : 'INTERNAL');
      expect(JSON.stringify(line.sent)).to.not.contain('secret');
    }
  });

  it('never throws, and calls nothing with unvalidated parameters, whatever arrives', async () => {
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
        const line = attached(new Server(all as never));
        for (const message of messages) line.receive(message);
        await settled();
        expect(line.sent.map(codeOf), 'raw parameters seen').to.not.include('INTERNAL');
      }),
      { numRuns: 500 },
    );
    expect(validated, 'calls that came through').to.be.greaterThan(20);
  });

  it('answers INTERNAL for parameters that throw when they are read', async () => {
    const trap = (): never => {
      throw new Error('trap');
    };
    const throwing = new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap, ownKeys: trap });
    const line = attached(new Server(implementations({})));
    line.receive(throwing);
    line.receive(request('r1', 'random', throwing));
    await settled();
    expect(line.sent.map(codeOf)).to.deep.equal(['INTERNAL']);
  });

  it('cancels on abort, and answers no more', async () => {
    const { server, calls, answer } = held();
    const line = attached(server);
    line.receive(request('r1', 'random', SIXTEEN));
    line.receive(abort('r1'));
    expect(calls[0]!.signal.aborted).to.equal(true);
    answer()(new Uint8Array(16));
    await settled();
    expect(line.sent).to.deep.equal([]);
  });

  it('tells whoever listens of an abort, with or without a signal', () => {
    const { server, calls } = held();
    const line = attached(server);
    for (const id of ['r1', 'r2']) line.receive(request(id, 'random', SIXTEEN));
    const told: string[] = [];
    calls[0]!.onAbort(() => told.push('first'));
    calls[0]!.onAbort(() => told.push('second'));
    calls[1]!.onAbort(() => told.push('other'));
    const { signal } = calls[0]!;
    expect(calls[0]!.signal, 'one for each call').to.equal(signal);
    line.receive(abort('r1'));
    expect(told).to.deep.equal(['first', 'second']);
    expect(signal.aborted).to.equal(true);
    expect(calls[1]!.signal.aborted).to.equal(false);
  });

  it('lets no caller abort, join or repeat the call of another document', async () => {
    const { server, calls, random, answer } = held();
    const line = attached(server);
    const stranger = attached(server, { ...PAGE, documentId: 'D2' } as Caller);
    line.receive(request('r1', 'random', SIXTEEN));
    stranger.receive(abort('r1'));
    stranger.receive(request('r1', 'random', SIXTEEN));
    expect(random.callCount).to.equal(2);
    expect(calls[0]!.signal.aborted).to.equal(false);
    answer()(new Uint8Array(16));
    await settled();
    expect([line.sent.length, stranger.sent.length]).to.deep.equal([0, 1]);
  });

  it('joins a request that comes again, on a new line, to the one at work', async () => {
    const { server, random, answer } = held();
    const old = attached(server);
    old.receive(request('r1', 'random', SIXTEEN));
    old.hangUp();
    const fresh = attached(server);
    fresh.receive(request('r1', 'random', SIXTEEN));
    answer()(new Uint8Array(16));
    await settled();
    expect([random.callCount, old.sent.length, fresh.sent.length]).to.deep.equal([1, 0, 1]);
  });

  it('refuses an id that comes again for another method', async () => {
    const { server } = held();
    const line = attached(server);
    line.receive(request('r1', 'random', SIXTEEN));
    line.receive(request('r1', 'status', {}));
    await answered();
    expect(line.sent.map(codeOf)).to.deep.equal(['INVALID_ARGUMENT']);
  });

  it('cancels the calls of a line that drops and is not replaced within 2 s', () => {
    const clock = sinon.useFakeTimers();
    try {
      const { server, calls } = held();
      const line = attached(server);
      line.receive(request('r1', 'random', SIXTEEN));
      line.hangUp();
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
    const line = attached(server);
    line.receive(PING);
    expect(line.sent).to.deep.equal([PONG]);
  });

  it('bounds the calls and bytes of one origin and of all, and forgets those that ended', async () => {
    const { calls, random } = held();
    const limits = { callsPerCaller: 2, bytesPerCaller: 10, bytes: 15 };
    const inspect = () => new Promise<never>(() => undefined);
    const server = new Server(implementations({ random, inspect }), { limits });
    const line = attached(server);
    for (const id of ['r1', 'r2', 'r3']) line.receive(request(id, 'random', SIXTEEN));
    await answered();
    expect(line.sent.map(codeOf)).to.deep.equal(['QUOTA']);
    line.receive(abort('r1'));
    line.receive(request('r4', 'random', SIXTEEN));
    expect(calls).to.have.length(3);
    const sealed = (length: number) => ({ sealed: new Uint8Array(length) });
    const [second, third] = ['https://b.example', 'https://c.example'].map((origin) =>
      attached(server, { ...PAGE, origin, documentId: origin } as Caller),
    );
    second!.receive(request('r1', 'inspect', sealed(9)));
    second!.receive(request('r2', 'inspect', sealed(2)));
    third!.receive(request('r1', 'inspect', sealed(7)));
    third!.receive(request('r2', 'inspect', sealed(6)));
    await answered();
    expect(second!.sent.map(codeOf)).to.deep.equal(['QUOTA']);
    expect(third!.sent.map(codeOf)).to.deep.equal(['QUOTA']);
    await settled();
  });

  it('bounds the bytes of pages apart from those of its own pages', async () => {
    const limits = { callsPerCaller: 9, bytesPerCaller: 10, bytes: 10 };
    const never = () => new Promise<never>(() => undefined);
    const server = new Server(implementations({ inspect: never, 'ui.openFile': never }), {
      limits,
    });
    const [page, popup] = [attached(server), attached(server, POPUP)];
    const sealed = { sealed: new Uint8Array(10) };
    page.receive(request('r1', 'inspect', sealed));
    popup.receive(request('r1', 'ui.openFile', { file: new Uint8Array(10) }));
    page.receive(request('r2', 'inspect', sealed));
    await answered();
    expect([page, popup].map(({ sent }) => sent.map(codeOf))).to.deep.equal([['QUOTA'], []]);
  });

  it('gives each origin its turn, and its own pages theirs at once', async () => {
    const queue = new FairQueue(setImmediate, () => 0);
    const { random, calls } = held();
    const server = new Server(implementations({ random, 'ui.state': never, connect: never }), {
      queue,
    });
    const busy = attached(server);
    for (let i = 0; i < 4; i++) busy.receive(request(`r${i}`, 'random', SIXTEEN));
    expect(calls, 'of four, those that may begin').to.have.length(2);
    const other = { ...PAGE, origin: 'https://b.example', documentId: 'B' } as Caller;
    attached(server, other).receive(request('o1', 'random', SIXTEEN));
    expect(calls[2]!.caller).to.equal(other);
    busy.receive(abort('r3'));
    busy.receive(abort('r0'));
    await settled();
    expect(calls.map(({ requestId }) => requestId)).to.deep.equal(['r0', 'r1', 'o1', 'r2']);
  });

  describe('progress', () => {
    const random = (_: unknown, call: Call) => {
      for (let done = 1; done <= 100; done++) call.progress(done, 100);
      return Promise.resolve(new Uint8Array(1));
    };
    async function told(follow: boolean) {
      const line = attached(new Server(implementations({ random })));
      line.receive(request('r1', 'random', { length: 1 }, follow));
      await settled();
      return line.sent.map(parseMessage).filter((message) => message?.kind === 'progress');
    }

    it('is told to who follows, not too often, and the end always', async () => {
      const messages = await told(true);
      expect(messages.length).to.be.within(2, 50);
      expect({ ...messages.at(-1) }).to.include({ bytes: 100, total: 100 });
    });

    it('is no message to who does not', async () => {
      expect(await told(false)).to.deep.equal([]);
    });
  });
});
