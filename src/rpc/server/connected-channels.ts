import type { Caller, Channel } from '../channel.ts';

/**
 * The channels that callers hold open now. A frame with calls in flight has one; an event reaches it
 * sooner this way than through its tab.
 */
export class ConnectedChannels {
  readonly #channels = new Set<Channel>();

  /** Keeps the channel until it closes. */
  add(channel: Channel): void {
    this.#channels.add(channel);
    channel.onClose(() => this.#channels.delete(channel));
  }

  /** Closes the channel of every caller for which `concerns` holds. */
  close(concerns: (caller: Caller) => boolean): void {
    for (const channel of [...this.#channels]) if (concerns(channel.peer)) channel.close();
  }

  /** Sends a message to every caller for which `concerns` holds. */
  broadcast(message: unknown, concerns: (caller: Caller) => boolean): void {
    for (const channel of this.#channels) if (concerns(channel.peer)) channel.send(message);
  }
}
