import { BatchingChannel } from '../transport/batching-channel.ts';
import type { Channel } from '../channel.ts';
import { parseMessage, PING } from '../envelope.ts';
import type { Message } from '../envelope.ts';
import { SYSTEM_LATER } from '../timers.ts';
import type { Timers } from '../timers.ts';

/** A worker is stopped after 30 s without a message, in Firefox even with an answer owed. */
export const PING_EVERY_MS = 12_000;
/**
 * A channel is dead after so many looks, evenly spread over `PING_EVERY_MS`, without an answer to a ping.
 * The time that a document is frozen (in the back/forward cache, by a dialog, by a long task) passes
 * between two looks, so it counts as one: answers that waited with it are read before the next.
 */
const LOOKS_PER_PING = 4;
/** The first new channel is opened at once; then the pause doubles from `first` to `last`. */
const RECONNECT_AFTER_MS = { first: 50, last: 3_000 };

/** What a reconnecting channel asks of its client, and what it reports to it. */
export interface ReconnectingChannelDeps {
  /** Opens a channel. Throws when none can be opened any more. */
  readonly connect: () => Channel;
  readonly timers: Timers;
  readonly pingEveryMs?: number | undefined;
  /** Whether responses are missing. If not, the browser may end the other side. */
  readonly isNeeded: () => boolean;
  readonly onMessage: (message: Message) => void;
  /** The channel closed, and everything in flight on it is lost. */
  readonly onDrop: () => void;
  /** The pause after a close is over: `open` returns a new channel. */
  readonly onReady: () => void;
  /** `connect` has thrown this. */
  readonly onGone: (error: unknown) => void;
}

/**
 * A channel that may close at any moment and is opened again as long as it is needed. Pings keep the
 * other side awake while responses are missing, and detect a dead channel.
 */
export class ReconnectingChannel {
  readonly #deps: ReconnectingChannelDeps;
  #channel: Channel | undefined;
  #lookTimer: unknown;
  #looksSincePing = 0;
  #heardSincePing = true;
  #reconnectTimer: unknown;
  #reconnectAfterMs = 0;

  constructor(deps: ReconnectingChannelDeps) {
    this.#deps = deps;
  }

  /** The open channel, if there is one. */
  get channel(): Channel | undefined {
    return this.#channel;
  }

  /** The channel, opened if necessary; undefined during the pause, or if none can be opened. */
  open(): Channel | undefined {
    if (this.#reconnectTimer !== undefined) return undefined;
    const channel = this.#channel ?? this.#connect();
    if (channel && this.#lookTimer === undefined) this.#startLooking();
    return channel;
  }

  close(): void {
    const channel = this.#channel;
    this.#lost();
    channel?.close();
    this.#deps.timers.stop(this.#reconnectTimer);
  }

  /** Drops the channel, which may be dead without having reported it. Does nothing where there is none. */
  drop(): void {
    const channel = this.#channel;
    if (!channel) return;
    channel.close();
    this.#dropped(channel);
  }

  #connect(): Channel | undefined {
    try {
      const channel = new BatchingChannel(this.#deps.connect(), SYSTEM_LATER);
      this.#channel = channel;
      channel.onMessage((message) => this.#receive(message, channel));
      channel.onClose(() => this.#dropped(channel));
      return this.#channel;
    } catch (error) {
      this.#deps.onGone(error);
      return undefined;
    }
  }

  #receive(raw: unknown, channel: Channel): void {
    if (channel !== this.#channel) return;
    this.#heardSincePing = true;
    const message = parseMessage(raw);
    // A channel that has carried a response was a good one.
    if (message?.kind === 'response') this.#reconnectAfterMs = 0;
    if (message) this.#deps.onMessage(message);
  }

  #startLooking(): void {
    this.#heardSincePing = true;
    this.#looksSincePing = 0;
    this.#scheduleLook();
  }

  #scheduleLook(): void {
    const { timers, pingEveryMs = PING_EVERY_MS } = this.#deps;
    this.#lookTimer = timers.start(() => this.#look(), pingEveryMs / LOOKS_PER_PING);
  }

  /** A channel without a message since the last ping is dead, even if it reports no close. */
  #look(): void {
    this.#lookTimer = undefined;
    const channel = this.#channel;
    if (!channel || !this.#deps.isNeeded()) return;
    this.#looksSincePing++;
    if (this.#looksSincePing === LOOKS_PER_PING) {
      if (!this.#heardSincePing) {
        this.drop();
        return;
      }
      this.#heardSincePing = false;
      this.#looksSincePing = 0;
      channel.send(PING);
    }
    this.#scheduleLook();
  }

  #dropped(channel: Channel): void {
    if (channel !== this.#channel) return;
    this.#lost();
    this.#deps.onDrop();
    this.#reconnectTimer = this.#deps.timers.start(() => {
      this.#reconnectTimer = undefined;
      this.#deps.onReady();
    }, this.#reconnectAfterMs);
    this.#reconnectAfterMs = nextPause(this.#reconnectAfterMs);
  }

  #lost(): void {
    this.#channel = undefined;
    this.#deps.timers.stop(this.#lookTimer);
    this.#lookTimer = undefined;
  }
}

function nextPause(pauseMs: number): number {
  const { first, last } = RECONNECT_AFTER_MS;
  if (pauseMs === 0) return first;
  return pauseMs * 2 > last ? last : pauseMs * 2;
}
