import { expect } from 'chai';
import sinon from 'sinon';
import type { Budget } from '../../../src/rpc/transport/budget.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { MAX_PARCEL_BYTES } from '../../../src/rpc/envelope.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { MAX_PARCELS, STALL_MS } from '../../../src/rpc/transport/chunks.ts';
import {
  OTHERS_BYTES,
  RECEIVING_LIMITS,
  ReceivingBudgets,
} from '../../../src/rpc/transport/receive-budgets.ts';
import { PAGE, POPUP } from '../memory-channel.ts';

const LIMITS = { originBytes: 10, pagesBytes: 15, surfacesBytes: 5 };
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
  announce(parcel: number, bytes: number): void {
    const body = { plaintext: null };
    const message = { v: 1, kind: 'parcel', parcel, body, paths: [['plaintext']] };
    this.receive({ ...message, lengths: [bytes] });
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
    expect(fits(budgets.join(pageOf('https://c.example')).budget, 1), 'the whole').to.equal(false);
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
      clock.tick(STALL_MS);
      expect(channels.map(({ isClosed }) => isClosed)).to.deep.equal([true, false]);
      expect(channels[1]!.admitted).to.equal(1);
      clock.tick(STALL_MS);
      expect(budgets.origins).to.equal(0);
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
