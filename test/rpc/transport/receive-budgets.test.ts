import { expect } from 'chai';
import sinon from 'sinon';
import type { Budget } from '../../../src/rpc/transport/budget.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { MAX_PARCEL_BYTES } from '../../../src/rpc/envelope.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { MAX_PARCELS, transferMs, WAIT_MS } from '../../../src/rpc/transport/chunks.ts';
import {
  OTHERS_BYTES,
  RECEIVING_LIMITS,
  ReceivingBudgets,
} from '../../../src/rpc/transport/receive-budgets.ts';
import { PAGE, POPUP } from '../memory-channel.ts';

const LIMITS = {
  originBytes: 10,
  pagesBytes: 15,
  sharesBytes: 15,
  surfacesBytes: 5,
  bodiesBytes: 8200,
  windowBytes: 100,
};
const pageOf = (origin: string): Caller => ({ ...PAGE, origin }) as Caller;
const A = pageOf('https://a.example');
const B = pageOf('https://b.example');

/** Whether a claim of this size is admitted at once. The claim is kept. */
function fits(budget: Budget, bytes: number): boolean {
  let isIn = false;
  budget.claim(bytes).enter(() => (isIn = true));
  return isIn;
}

/** A channel whose peer announces bytes and never sends them. Records the background's answers. */
class StallingChannel implements Channel {
  readonly peer: Caller;
  readonly sent: { kind?: string }[] = [];
  isClosed = false;
  receive: (message: unknown) => void = () => undefined;
  readonly #closing: (() => void)[] = [];

  constructor(peer: Caller) {
    this.peer = peer;
  }
  send(message: unknown): void {
    this.sent.push(message as { kind?: string });
  }
  onMessage(listener: (message: unknown) => void): void {
    this.receive = listener;
  }
  onClose(listener: () => void): void {
    this.#closing.push(listener);
  }
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#closing) listener();
  }
  announce(parcel: number, bytes: number, more: object = {}): void {
    const body = { v: 1, kind: 'request', id: `r${parcel}`, method: 'seal', params: {} };
    const params = { plaintext: null, ...more };
    const message = { v: 1, kind: 'parcel', parcel, body: { ...body, params } };
    this.receive({ ...message, paths: [['params', 'plaintext']], lengths: [bytes] });
  }
  send1(parcel: number): void {
    this.receive({ v: 1, kind: 'piece', parcel, bytes: new Uint8Array(1) });
  }
  get refused(): string[] {
    return this.sent.flatMap((message) => {
      const { id, error } = message as { id: string; error?: { code: string } };
      return error ? [`${id} ${error.code}`] : [];
    });
  }
  get admitted(): number {
    return this.sent.filter(({ kind }) => kind === 'ack').length;
  }
}

describe('incomplete messages', () => {
  it('are limited for one origin over all its channels, with space for others', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    const [first, second] = [budgets.join(A), budgets.join({ ...A, documentId: 'D2' } as Caller)];
    expect(fits(first.budget, 8)).to.equal(true);
    expect(fits(second.budget, 3), 'the same origin').to.equal(false);
    expect(fits(budgets.join(B).budget, 7), 'another').to.equal(true);
    const third = budgets.join(pageOf('https://c.example')).budget;
    expect(fits(third, 5), 'its equal share').to.equal(true);
    expect(fits(third, 1), 'the whole').to.equal(false);
  });

  it('of pages never delay extension pages', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    fits(budgets.join(A).budget, 10);
    fits(budgets.join(B).budget, 5);
    expect(fits(budgets.join(POPUP).budget, 5)).to.equal(true);
  });

  it('are released with the last channel of an origin', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    const [first, second] = [budgets.join(A), budgets.join(A)];
    expect(second.budget).to.equal(first.budget);
    first.leave();
    expect(budgets.origins).to.equal(1);
    second.leave();
    expect(budgets.origins).to.equal(0);
  });

  it('leave space for messages of other origins', () => {
    const budgets = new ReceivingBudgets(RECEIVING_LIMITS);
    const greedy = budgets.join(A).budget;
    expect(fits(greedy, MAX_PARCEL_BYTES)).to.equal(true);
    expect(fits(greedy, 1)).to.equal(false);
    expect(fits(budgets.join(B).budget, OTHERS_BYTES)).to.equal(true);
  });

  it('are dropped when their sender stalls, and no longer delay others', () => {
    const clock = sinon.useFakeTimers();
    try {
      const budgets = new ReceivingBudgets(LIMITS);
      const channels = [new StallingChannel(A), new StallingChannel(A)];
      for (const channel of channels) {
        const share = budgets.join(channel.peer);
        const chunking = new ChunkingChannel(channel, { budget: share.budget });
        chunking.onClose(() => share.leave());
        channel.announce(1, 9);
      }
      expect(channels.map(({ admitted }) => admitted)).to.deep.equal([1, 0]);
      clock.tick(transferMs(9));
      expect(channels.map(({ isClosed }) => isClosed)).to.deep.equal([true, false]);
      expect(channels[1]!.admitted).to.equal(1);
      clock.tick(transferMs(9));
      expect(budgets.origins).to.equal(0);
    } finally {
      clock.restore();
    }
  });

  it('are under way from one origin two windows at a time, in however many frames', () => {
    const budgets = new ReceivingBudgets({ ...RECEIVING_LIMITS, windowBytes: 10 });
    const channelOf = (caller: Caller) => {
      const channel = new StallingChannel(caller);
      const { leave, ...share } = budgets.join(caller);
      new ChunkingChannel(channel, share).onClose(leave);
      return channel;
    };
    const frames = [channelOf(A), channelOf({ ...A, documentId: 'D2' } as Caller)];
    const [first, second] = frames as [StallingChannel, StallingChannel];
    for (const frame of frames) for (const parcel of [1, 2]) frame.announce(parcel, 5);
    expect([first.admitted, second.admitted]).to.deep.equal([2, 0]);
    const other = channelOf(B);
    other.announce(1, 10);
    expect(other.admitted, 'of another origin').to.equal(1);
    for (let sent = 0; sent < 5; sent++) first.send1(1);
    expect(second.admitted, 'when one has arrived').to.equal(1);
    first.receive({ v: 1, kind: 'drop', parcel: 2 });
    expect(second.admitted, 'when one was given up').to.equal(2);
    first.announce(3, 1000);
    second.close();
    expect(first.admitted, 'a long one, with nothing else under way').to.equal(2 + 4 + 1);
  });

  it('counts the bodies of what is announced, of one origin and of all, until they are gone', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    const channelOf = (caller: Caller) => {
      const channel = new StallingChannel(caller);
      const { leave, ...share } = budgets.join(caller);
      const chunking = new ChunkingChannel(channel, share);
      channel.onClose(leave);
      return Object.assign(channel, { chunking });
    };
    const [first, second] = [channelOf(A), channelOf(B)];
    // About 2 bytes for a character and 64 for a value: three of these fit, and one fits a half.
    const text = { text: 'x'.repeat(1000) };
    for (const parcel of [1, 2, 3, 4]) first.announce(parcel, 9, text);
    expect(first.refused).to.deep.equal(['r4 QUOTA']);
    second.announce(1, 9, text);
    expect(second.refused, 'its equal share').to.deep.equal([]);
    second.announce(2, 9, text);
    expect(second.refused).to.deep.equal(['r2 QUOTA']);
    expect([first.isClosed, second.isClosed]).to.deep.equal([false, false]);
    for (const parcel of [2, 3]) first.receive({ v: 1, kind: 'drop', parcel });
    first.announce(5, 9, text);
    expect(first.refused, 'others have gone').to.have.length(1);
    first.close();
    for (const parcel of [3, 4]) second.announce(parcel, 9, text);
    expect(second.refused).to.have.length(1);
  });

  it('keeps nothing that was not counted, and refuses what content scripts do not forward', () => {
    const { leave, ...share } = new ReceivingBudgets(LIMITS).join(A);
    const channel = new StallingChannel(A);
    const delivered: { params?: Record<string, unknown> }[] = [];
    new ChunkingChannel(channel, share).onMessage((message) => delivered.push(message as object));
    channel.announce(1, 1, { hidden: new Map([['x', 'y'.repeat(9999)]]) });
    channel.send1(1);
    expect({ ...(delivered[0]!.params!.hidden as object) }).to.deep.equal({});
    expect(delivered[0]!.params!.plaintext).to.deep.equal(new Uint8Array(1));
    channel.announce(2, 9, { list: Array.from({ length: 10_000 }, () => null) });
    channel.announce(3, 9, { bytes: new Uint8Array(8000) });
    channel.announce(4, 9, { text: 'x'.repeat(4000) });
    expect(channel.refused).to.deep.equal(['r2 QUOTA', 'r3 QUOTA', 'r4 QUOTA']);
    channel.receive({ v: 1, kind: 'parcel', parcel: 5, body: {}, paths: [['a']], lengths: [1] });
    expect(channel.isClosed, 'what is no request').to.equal(true);
    leave();
  });

  it('is refused when it has waited too long for room, and a slow sender is disconnected', () => {
    const clock = sinon.useFakeTimers();
    try {
      const { leave, ...share } = new ReceivingBudgets(LIMITS).join(A);
      const [slow, waiting] = [new StallingChannel(A), new StallingChannel(A)];
      for (const channel of [slow, waiting]) new ChunkingChannel(channel, share);
      const lastsMs = transferMs(MAX_PARCEL_BYTES);
      expect(lastsMs).to.be.below(WAIT_MS / 2);
      slow.announce(1, MAX_PARCEL_BYTES);
      for (let ms = 0; ms < lastsMs - 1000; ms += 1000) {
        slow.send1(1);
        clock.tick(1000);
      }
      expect(slow.isClosed).to.equal(false);
      clock.tick(1000);
      expect(slow.isClosed, 'a byte each second').to.equal(true);
      fits(share.budget, 10);
      waiting.announce(1, 9);
      clock.tick(WAIT_MS - 1);
      expect(waiting.refused).to.deep.equal([]);
      clock.tick(1);
      expect(waiting.refused).to.deep.equal(['r1 QUOTA']);
      expect(waiting.isClosed).to.equal(false);
      leave();
    } finally {
      clock.restore();
    }
  });

  it('are limited in number too: a channel with too many announcements is closed', () => {
    const { budget } = new ReceivingBudgets(LIMITS).join(A);
    const channel = new StallingChannel(A);
    new ChunkingChannel(channel, { budget });
    for (let parcel = 1; parcel <= MAX_PARCELS; parcel++) channel.announce(parcel, 10);
    expect(channel.isClosed).to.equal(false);
    channel.announce(MAX_PARCELS + 1, 10);
    expect(channel.isClosed).to.equal(true);
  });
});
