import { expect } from 'chai';
import sinon from 'sinon';
import type { Budget } from '../../../src/rpc/transport/budget.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { MAX_PARCEL_BYTES, MAX_PIECE_BYTES } from '../../../src/rpc/envelope.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import {
  MAX_PARCELS,
  PIECE_SIZES,
  transferMs,
  TURN_BYTES,
  TURN_MS,
  WAIT_MS,
} from '../../../src/rpc/transport/chunks.ts';
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
  turnsBytes: 100,
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
    this.#sendPiece(parcel, 1);
  }
  /** In pieces, whether they were asked for or not. */
  sendPieces(parcel: number, bytes: number): void {
    for (let left = bytes; left > 0; left -= MAX_PIECE_BYTES) {
      this.#sendPiece(parcel, Math.min(left, MAX_PIECE_BYTES));
    }
  }
  #sendPiece(parcel: number, bytes: number): void {
    this.receive({ v: 1, kind: 'piece', parcel, bytes: new Uint8Array(bytes) });
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

  describe('of several origins', () => {
    const LENGTH = 4 * TURN_BYTES;
    let clock: sinon.SinonFakeTimers;
    let channels: readonly StallingChannel[];
    const admitted = () => channels.map((channel) => channel.admitted);
    beforeEach(() => {
      clock = sinon.useFakeTimers();
      const budgets = new ReceivingBudgets();
      channels = ['a', 'b', 'c'].map((name) => {
        const caller = pageOf(`https://${name}.example`);
        const channel = new StallingChannel(caller);
        const { leave, ...share } = budgets.join(caller);
        new ChunkingChannel(channel, share).onClose(leave);
        channel.announce(1, LENGTH);
        return channel;
      });
    });
    afterEach(() => clock.restore());

    it('take turns, and nothing of one is under way in the turn of another', () => {
      const [first, second] = channels as [StallingChannel, StallingChannel];
      expect(admitted()).to.deep.equal([1, 0, 0]);
      const pieces = TURN_BYTES / MAX_PIECE_BYTES;
      first.sendPieces(1, TURN_BYTES);
      expect(admitted(), 'with a window under way').to.deep.equal([pieces, 0, 0]);
      first.sendPieces(1, PIECE_SIZES.windowBytes - MAX_PIECE_BYTES);
      expect(admitted()).to.deep.equal([pieces, 1, 0]);
      second.receive({ v: 1, kind: 'drop', parcel: 1 });
      expect(admitted(), 'in the order in which they came').to.deep.equal([pieces, 1, 1]);
      channels[2]!.close();
      expect(admitted()).to.deep.equal([pieces + 1, 1, 1]);
      first.sendPieces(1, 2 * TURN_BYTES);
      expect(admitted(), 'alone, without a pause').to.deep.equal([3 * pieces + 1, 1, 1]);
    });

    it('wait for one that stalls no longer than a turn', () => {
      clock.tick(TURN_MS - 1);
      expect(admitted()).to.deep.equal([1, 0, 0]);
      clock.tick(1);
      expect(admitted()).to.deep.equal([1, 1, 0]);
      clock.tick(TURN_MS);
      expect(admitted()).to.deep.equal([1, 1, 1]);
      clock.tick(transferMs(LENGTH) - 2 * TURN_MS);
      expect(channels.map(({ isClosed }) => isClosed)).to.deep.equal([true, false, false]);
    });

    it('have their time for the transfer when it is their turn', () => {
      const [first] = channels as [StallingChannel];
      clock.tick(50);
      first.sendPieces(1, TURN_BYTES + PIECE_SIZES.windowBytes);
      clock.tick(2 * TURN_MS);
      expect(admitted().slice(1), 'the others had theirs').to.deep.equal([1, 1]);
      clock.tick(transferMs(LENGTH) - 51);
      expect(first.isClosed).to.equal(false);
      clock.tick(1);
      expect(first.isClosed).to.equal(true);
    });
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
