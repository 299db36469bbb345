import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { Budget } from '../../../src/rpc/transport/budget.ts';
import { MAX_PARCEL_BYTES, parseMessage } from '../../../src/rpc/envelope.ts';
import type { Message } from '../../../src/rpc/envelope.ts';
import {
  ChunkReceiver,
  ChunkSender,
  PIECE_SIZES,
  transferMs,
} from '../../../src/rpc/transport/chunks.ts';
import type { ChunkSizes } from '../../../src/rpc/transport/chunks.ts';
import type { Timers } from '../../../src/rpc/timers.ts';

const SIZES: ChunkSizes = { inlineBytes: 8, pieceBytes: 4, windowBytes: 12 };
const NO_TIMERS: Timers = { start: () => undefined, stop: () => undefined };
const counted = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

/** A sender and a receiver connected by two queues that deliver one message at a time. */
class Pair {
  readonly delivered: unknown[] = [];
  readonly wire: Message[] = [];
  readonly failures = sinon.spy();
  readonly sender: ChunkSender;
  readonly receiver: ChunkReceiver;
  readonly #toReceiver: unknown[] = [];
  readonly #toSender: unknown[] = [];

  constructor(budget = new Budget(1000), sizes = SIZES, timers = NO_TIMERS) {
    this.sender = new ChunkSender(
      (message) => this.#toReceiver.push(structuredClone(message)),
      sizes,
    );
    this.receiver = new ChunkReceiver({
      emit: (message) => this.#toSender.push(structuredClone(message)),
      deliver: (message) => this.delivered.push(message),
      fail: this.failures,
      budget,
      timers,
    });
  }

  /** The unacknowledged bytes while the queues are full. */
  get underWayBytes(): number {
    return (this.#toReceiver as Message[]).reduce(
      (sum, message) => sum + (message.kind === 'piece' ? message.bytes.length : 0),
      0,
    );
  }

  step(): boolean {
    const message = this.#toReceiver.shift();
    if (message !== undefined) this.#receive(message);
    const answer = this.#toSender.shift();
    if (answer !== undefined) this.sender.acknowledged(parseMessage(answer) as never);
    return message !== undefined || answer !== undefined;
  }

  #receive(raw: unknown): void {
    const message = parseMessage(raw);
    if (message) this.wire.push(message);
    if (message?.kind === 'parcel') this.receiver.parcel(message);
    else if (message?.kind === 'piece') this.receiver.piece(message);
    else if (message?.kind === 'drop') this.receiver.drop(message);
    else this.delivered.push(raw);
  }

  run(): void {
    while (this.step());
  }
}

const requestWith = (params: unknown, id = 'r1') => ({
  v: 1,
  kind: 'request',
  id,
  method: 'm',
  params,
});

describe('pieces', () => {
  for (const length of [0, 1, 7, 8]) {
    it(`send ${length} bytes of at most 8 inline, as one message`, () => {
      const pair = new Pair();
      const message = requestWith({ a: counted(length) });
      pair.sender.send(message);
      pair.run();
      expect(pair.delivered).to.deep.equal([message]);
      expect(pair.wire.map(({ kind }) => kind)).to.deep.equal(['request']);
    });
  }

  for (const [length, pieces] of [
    [9, 3],
    [11, 3],
    [12, 3],
    [13, 4],
    [101, 26],
  ] as const) {
    it(`send ${length} bytes in ${pieces} pieces of at most 4`, () => {
      const pair = new Pair();
      const message = requestWith({ a: counted(length) });
      pair.sender.send(message);
      pair.run();
      expect(pair.delivered).to.deep.equal([message]);
      const sent = pair.wire.filter(({ kind }) => kind === 'piece');
      expect(sent).to.have.length(pieces);
    });
  }

  it('never have more bytes in flight than the window', () => {
    const pair = new Pair();
    pair.sender.send(requestWith({ a: counted(400) }));
    let most = 0;
    while (pair.step()) most = Math.max(most, pair.underWayBytes);
    expect(most).to.be.at.most(SIZES.windowBytes).and.at.least(SIZES.pieceBytes);
    expect(pair.delivered).to.have.length(1);
  });

  it('restore any number of arrays, also empty ones, at their places', () => {
    const lengths = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lengths, fc.nat(20), (all, offset) => {
        const pair = new Pair();
        const whole = counted(60);
        const views = all.map((length) => whole.subarray(offset, offset + length));
        const message = requestWith({ list: views, deep: { last: views[0], n: 1 } });
        pair.sender.send(message);
        pair.run();
        expect(pair.delivered).to.deep.equal([structuredClone(message)]);
      }),
    );
  });

  it('deliver several messages sent at once, and small ones between them', () => {
    const pair = new Pair();
    const messages = [50, 3, 70, 1].map((length, i) =>
      requestWith({ a: counted(length) }, `r${i}`),
    );
    for (const message of messages) pair.sender.send(message);
    pair.run();
    expect(pair.delivered).to.have.deep.members(messages);
  });

  it('copy a small view, not its large buffer', () => {
    const sent: unknown[] = [];
    const sender = new ChunkSender((message) => sent.push(message), SIZES);
    sender.send({ a: new Uint8Array(1000).subarray(1, 3) });
    expect((sent[0] as { a: Uint8Array }).a.buffer.byteLength).to.equal(2);
  });

  it('carry 64 MiB', () => {
    const pair = new Pair(new Budget(MAX_PARCEL_BYTES), PIECE_SIZES);
    const plaintext = new Uint8Array(64 * 1024 * 1024);
    for (let i = 0; i < plaintext.length; i += 4093) plaintext[i] = i;
    pair.sender.send(requestWith({ plaintext }));
    pair.run();
    const arrived = (pair.delivered[0] as { params: { plaintext: Uint8Array } }).params.plaintext;
    expect(Buffer.compare(arrived, plaintext)).to.equal(0);
  });

  it('wait for the budget and start when others have ended', () => {
    const budget = new Budget(100);
    const [first, second] = [new Pair(budget), new Pair(budget)];
    first.sender.send(requestWith({ a: counted(90) }));
    second.sender.send(requestWith({ a: counted(90) }));
    first.step();
    second.run();
    expect(second.delivered).to.deep.equal([]);
    first.run();
    second.run();
    expect([first.delivered.length, second.delivered.length]).to.deep.equal([1, 1]);
    expect(budget.heldBytes).to.equal(0);
  });

  it('release everything when the channel closes', () => {
    const budget = new Budget(100);
    const pair = new Pair(budget);
    pair.sender.send(requestWith({ a: counted(90) }));
    pair.step();
    pair.receiver.clear();
    expect(budget.heldBytes).to.equal(0);
  });

  it('drop a request that is aborted half-way, and forward the abort of a complete one', () => {
    const budget = new Budget(100);
    const pair = new Pair(budget);
    const abort = { v: 1, kind: 'abort', id: 'r1' };
    pair.sender.send(requestWith({ a: counted(90) }));
    pair.step();
    pair.step();
    pair.sender.send(abort);
    pair.run();
    expect([pair.delivered, budget.heldBytes, pair.failures.callCount]).to.deep.equal([[], 0, 0]);
    pair.sender.send(abort);
    pair.run();
    expect(pair.delivered).to.deep.equal([abort]);
  });

  it('are forgotten when the request is answered before they were sent', () => {
    const pair = new Pair(new Budget(100));
    pair.sender.send(requestWith({ a: counted(90) }));
    pair.sender.answered('other');
    pair.sender.answered('r1');
    pair.run();
    expect(pair.wire.map(({ kind }) => kind)).to.deep.equal(['parcel']);
  });

  it('fail the channel of a peer that breaks the protocol', () => {
    const parcel = (over: object) => ({
      v: 1 as const,
      kind: 'parcel' as const,
      parcel: 1,
      body: { a: null },
      paths: [['a']],
      lengths: [9],
      ...over,
    });
    const breaches: ((receiver: ChunkReceiver) => void)[] = [
      (receiver) => receiver.parcel(parcel({ lengths: [0] })),
      (receiver) => receiver.parcel(parcel({ lengths: [MAX_PARCEL_BYTES + 1] })),
      (receiver) => receiver.parcel(parcel({ lengths: [5, 5] })),
      (receiver) => [1, 2].forEach(() => receiver.parcel(parcel({}))),
      (receiver) => receiver.piece({ v: 1, kind: 'piece', parcel: 1, bytes: counted(1) }),
      ...[0, 10].map((length) => (receiver: ChunkReceiver) => {
        receiver.parcel(parcel({}));
        receiver.piece({ v: 1, kind: 'piece', parcel: 1, bytes: counted(length) });
      }),
      ...[[['b']], [['a', 'b']]].map((paths) => (receiver: ChunkReceiver) => {
        receiver.parcel(parcel({ paths }));
        receiver.piece({ v: 1, kind: 'piece', parcel: 1, bytes: counted(9) });
      }),
    ];
    for (const [number, breach] of breaches.entries()) {
      const pair = new Pair();
      breach(pair.receiver);
      expect(pair.failures.callCount, `breach ${number}`).to.equal(1);
      expect(pair.delivered).to.deep.equal([]);
    }
  });

  it('fail the channel of a peer that announces bytes and then stalls', () => {
    const clock = sinon.useFakeTimers();
    try {
      const timers: Timers = { start: setTimeout, stop: (timer) => clearTimeout(timer as number) };
      const pair = new Pair(new Budget(100), SIZES, timers);
      pair.sender.send(requestWith({ a: counted(90) }));
      pair.step();
      clock.tick(transferMs(90) - 1);
      expect(pair.failures.callCount).to.equal(0);
      clock.tick(1);
      expect(pair.failures.callCount).to.equal(1);
    } finally {
      clock.restore();
    }
  });
});
