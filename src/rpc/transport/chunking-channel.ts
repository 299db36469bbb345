import { Budget } from './budget.ts';
import type { Caller, Channel } from '../channel.ts';
import { kindOf, MAX_PARCEL_BYTES, parseMessage } from '../envelope.ts';
import { PIECE_SIZES, ChunkReceiver, ChunkSender } from './chunks.ts';
import type { ChunkSizes, HoldBody } from './chunks.ts';
import { SYSTEM_TIMERS } from '../timers.ts';
import type { Timers } from '../timers.ts';

/** Limits of a chunking channel; each has a default. */
export interface ChunkingChannelOptions {
  /** What may be half received on all channels; each channel has at most two parcels. */
  readonly budget?: Budget;
  /** For peers that are not trusted: what all channels of one origin may have under way, and what all origins may. */
  readonly windows?: Budget;
  readonly turns?: Budget;
  /** For peers that are not trusted: counts the bodies of messages that are announced. */
  readonly holdBody?: HoldBody;
  readonly sizes?: ChunkSizes;
  readonly timers?: Timers;
}

/** A channel for messages of any size over one whose messages have to stay small. */
export class ChunkingChannel implements Channel {
  readonly peer: Caller;
  readonly #inner: Channel;
  readonly #sender: ChunkSender;
  readonly #receiver: ChunkReceiver;
  #deliver: (message: unknown) => void = () => undefined;

  constructor(inner: Channel, options: ChunkingChannelOptions = {}) {
    const { budget, windows, turns, holdBody } = options;
    const { sizes = PIECE_SIZES, timers = SYSTEM_TIMERS } = options;
    const emit = (message: unknown): void => inner.send(message);
    this.peer = inner.peer;
    this.#inner = inner;
    this.#sender = new ChunkSender(emit, sizes);
    this.#receiver = new ChunkReceiver({
      emit,
      deliver: (message) => this.#deliver(message),
      fail: () => inner.close(),
      budget: new Budget(2 * MAX_PARCEL_BYTES, { whole: budget }),
      windows,
      turns,
      holdBody,
      timers,
    });
    inner.onMessage((message) => this.#receive(message));
    inner.onClose(() => this.#receiver.clear());
  }

  #receive(raw: unknown): void {
    if (!isOfPieces(raw)) {
      if (kindOf(raw) === 'response') this.#sender.answered((raw as { id: unknown }).id);
      this.#deliver(raw);
      return;
    }
    const message = parseMessage(raw);
    if (message?.kind === 'parcel') this.#receiver.parcel(message);
    else if (message?.kind === 'piece') this.#receiver.piece(message);
    else if (message?.kind === 'ack') this.#sender.acknowledged(message);
    else if (message?.kind === 'drop') this.#receiver.drop(message);
  }

  send(message: unknown): void {
    this.#sender.send(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#deliver = listener;
  }

  onClose(listener: () => void): void {
    this.#inner.onClose(listener);
  }

  close(): void {
    this.#inner.close();
  }
}

/** Whether a message belongs to this layer. All others are delivered unparsed. */
function isOfPieces(raw: unknown): boolean {
  const kind = kindOf(raw);
  return kind === 'parcel' || kind === 'piece' || kind === 'ack' || kind === 'drop';
}
