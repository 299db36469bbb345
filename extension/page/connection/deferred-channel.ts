import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { kindOf, parseMessage } from '../../../src/rpc/envelope.ts';
import type { EventName } from '../../../src/rpc/envelope.ts';

/** The peer of the page's channel. No decision depends on it. */
export const CONTENT_SCRIPT: Caller = { kind: 'surface', page: 'manager' };

/** A channel that can be used before its connection exists: messages wait until `bind`. */
export class DeferredChannel implements Channel {
  readonly peer = CONTENT_SCRIPT;
  readonly #onEvent: (name: EventName) => void;
  #channel: Channel | undefined;
  #unsent: unknown[] = [];
  #listener: (message: unknown) => void = () => undefined;
  #closeListener: () => void = () => undefined;
  #isOpen = true;

  /** @param onEvent gets events, also while no client listens */
  constructor(onEvent: (name: EventName) => void) {
    this.#onEvent = onEvent;
  }

  bind(channel: Channel): void {
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
    channel.onClose(() => this.#isOpen && this.#onEvent('disconnect'));
    const unsent = this.#unsent;
    this.#unsent = [];
    for (let i = 0; i < unsent.length; i++) channel.send(unsent[i]);
  }

  #receive(raw: unknown): void {
    if (!this.#isOpen) return;
    if (kindOf(raw) !== 'event') {
      this.#listener(raw);
      return;
    }
    const message = parseMessage(raw);
    if (message?.kind === 'event') this.#onEvent(message.name);
  }

  send(message: unknown): void {
    if (this.#channel) this.#channel.send(message);
    else if (this.#isOpen) this.#unsent[this.#unsent.length] = message;
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  /** Takes one listener: that of the client that uses this channel. */
  onClose(listener: () => void): void {
    this.#closeListener = listener;
    if (!this.#isOpen) listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsent = [];
    this.#channel?.close();
    this.#closeListener();
  }
}
