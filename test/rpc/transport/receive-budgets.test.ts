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

/** Whether a claim of so many bytes is admitted at once; it stays entered. */
function fits(budget: Budget, bytes: number): boolean {
  let isIn = false;
  budget.claim(bytes).enter(() => (isIn = true));
  return isIn;
}

/** A line over which a peer announces and never sends; what the background says to it is kept. */
class StallingLine implements Channel {
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

describe('what is half received', () => {
  it('is bounded for one origin over all its lines, and leaves room for another', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    const [first, second] = [budgets.join(A), budgets.join({ ...A, documentId: 'D2' } as Caller)];
    expect(fits(first.budget, 8)).to.equal(true);
    expect(fits(second.budget, 3), 'the same origin').to.equal(false);
    expect(fits(budgets.join(B).budget, 7), 'another').to.equal(true);
    expect(fits(budgets.join(pageOf('https://c.example')).budget, 1), 'the whole').to.equal(false);
  });

  it('of pages never keeps the extension’s own pages waiting', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    fits(budgets.join(A).budget, 10);
    fits(budgets.join(B).budget, 5);
    expect(fits(budgets.join(POPUP).budget, 5)).to.equal(true);
  });

  it('is forgotten with the last line of an origin', () => {
    const budgets = new ReceivingBudgets(LIMITS);
    const [first, second] = [budgets.join(A), budgets.join(A)];
    expect(second.budget).to.equal(first.budget);
    first.leave();
    expect(budgets.origins).to.equal(1);
    second.leave();
    expect(budgets.origins).to.equal(0);
  });

  it('has room for messages of other origins beside the largest of a greedy one', () => {
    const budgets = new ReceivingBudgets(RECEIVING_LIMITS);
    const greedy = budgets.join(A).budget;
    expect(fits(greedy, MAX_PARCEL_BYTES)).to.equal(true);
    expect(fits(greedy, 1)).to.equal(false);
    expect(fits(budgets.join(B).budget, OTHERS_BYTES)).to.equal(true);
  });

  it('is given up when its sender stalls, and nobody waits for it any longer', () => {
    const clock = sinon.useFakeTimers();
    try {
      const budgets = new ReceivingBudgets(LIMITS);
      const lines = [new StallingLine(A), new StallingLine(A)];
      for (const line of lines) {
        const share = budgets.join(line.peer);
        const channel = new ChunkingChannel(line, { budget: share.budget });
        channel.onClose(() => share.leave());
        line.announce(1, 9);
      }
      expect(lines.map(({ admitted }) => admitted)).to.deep.equal([1, 0]);
      clock.tick(STALL_MS);
      expect(lines.map(({ isClosed }) => isClosed)).to.deep.equal([true, false]);
      expect(lines[1]!.admitted).to.equal(1);
      clock.tick(STALL_MS);
      expect(budgets.origins).to.equal(0);
    } finally {
      clock.restore();
    }
  });

  it('is not only bounded in bytes: a line that announces without end is closed', () => {
    const { budget } = new ReceivingBudgets(LIMITS).join(A);
    const line = new StallingLine(A);
    new ChunkingChannel(line, { budget });
    for (let parcel = 1; parcel <= MAX_PARCELS; parcel++) line.announce(parcel, 10);
    expect(line.isClosed).to.equal(false);
    line.announce(MAX_PARCELS + 1, 10);
    expect(line.isClosed).to.equal(true);
  });
});
