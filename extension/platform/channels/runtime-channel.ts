import type { Runtime } from 'webextension-polyfill';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import {
  codecOfAnswer,
  codecOfGreeting,
  greeting,
  greetingAnswer,
} from '../../../src/rpc/transport/codec.ts';
import type { Codec } from '../../../src/rpc/transport/codec.ts';
import { disconnected } from '../../../src/rpc/errors.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { ReceivingBudgets } from '../../../src/rpc/transport/receive-budgets.ts';
import { isAlive } from './is-alive.ts';
import { callerOf } from './runtime-channel-caller.ts';
import type { CallerRuntime } from './runtime-channel-caller.ts';

/*
 * Channels over runtime ports, both ends. The background greets (codec.ts); until the other side
 * has answered, nothing else travels. Large payloads go in pieces.
 */

export const PORT_NAME = 'sealwright';

/** To the one on whose side this stands, the background is no caller. */
const BACKGROUND: Caller = { kind: 'surface', page: 'manager' };

export type ConnectingRuntime = Pick<Runtime.Static, 'id' | 'connect' | 'lastError'>;
/** What a content script uses of `browser.runtime`. */
export type ContentRuntime = ConnectingRuntime & Pick<Runtime.Static, 'onMessage'>;
export type ListeningRuntime = CallerRuntime & Pick<Runtime.Static, 'onConnect' | 'lastError'>;

/**
 * Opens a line to the background, which wakes it up. For content scripts and extension pages.
 *
 * @throws SealwrightError DISCONNECTED when this script has outlived its extension
 */
export function connectToBackground(runtime: ConnectingRuntime): Channel {
  const line = new PortChannel(open(runtime), runtime, BACKGROUND, (message) => {
    const codec = codecOfGreeting(message);
    return codec && { codec, answer: greetingAnswer(codec) };
  });
  return new ChunkingChannel(line);
}

function open(runtime: ConnectingRuntime): Runtime.Port {
  if (!isAlive(runtime)) throw disconnected();
  try {
    return runtime.connect({ name: PORT_NAME });
  } catch {
    // "Extension context invalidated": reloaded, updated or removed between two lines of ours.
    throw disconnected();
  }
}

/**
 * Hands every line that a caller opens to `accept`. To be called in the background's first turn,
 * so that a line that woke it is not missed. Callers without an identity are hung up on.
 */
export function listenForChannels(
  runtime: ListeningRuntime,
  accept: (channel: Channel) => void,
): void {
  const budgets = new ReceivingBudgets();
  runtime.onConnect.addListener((port) => {
    const caller = port.name === PORT_NAME ? callerOf(port.sender, runtime) : undefined;
    if (!caller) {
      port.disconnect();
      return;
    }
    const line = new PortChannel(port, runtime, caller, (message) => {
      const codec = codecOfAnswer(message);
      return codec && { codec };
    });
    const { budget, leave } = budgets.join(caller);
    const channel = new ChunkingChannel(line, { budget });
    line.onClose(leave); // after the channel, which gives back what it held
    accept(channel);
    line.greet();
  });
}

/** What the first message settles, and what is answered to it. */
type Handshake = { readonly codec: Codec; readonly answer?: unknown } | undefined;

/** A runtime port as a channel. Messages sent before both sides have met wait here. */
class PortChannel implements Channel {
  readonly peer: Caller;
  readonly #port: Runtime.Port;
  readonly #handshake: (message: unknown) => Handshake;
  #codec: Codec | undefined;
  #unsent: unknown[] = [];
  #listener: (message: unknown) => void = () => undefined;
  #closeListeners: (() => void)[] = [];
  #isOpen = true;

  constructor(
    port: Runtime.Port,
    runtime: Pick<Runtime.Static, 'lastError'>,
    peer: Caller,
    handshake: (message: unknown) => Handshake,
  ) {
    this.peer = peer;
    this.#port = port;
    this.#handshake = handshake;
    port.onMessage.addListener((message) => this.#receive(message));
    port.onDisconnect.addListener(() => {
      Boolean(runtime.lastError); // read, or Chromium reports it as unchecked
      this.#closed();
    });
  }

  greet(): void {
    this.#post(greeting());
  }

  #receive(wire: unknown): void {
    if (!this.#isOpen) return;
    if (this.#codec) this.#listener(this.#codec.decode(wire));
    else this.#begin(this.#handshake(wire));
  }

  #begin(meeting: Handshake): void {
    if (!meeting) return;
    if (meeting.answer !== undefined) this.#post(meeting.answer);
    this.#codec = meeting.codec;
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const message of unsent) this.send(message);
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    if (this.#codec) this.#post(this.#codec.encode(message));
    else this.#unsent.push(message);
  }

  /** A port throws when its other end has gone and the event that says so is still under way. */
  #post(wire: unknown): void {
    try {
      this.#port.postMessage(wire);
    } catch {
      this.close();
    }
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#closeListeners.push(listener);
    else listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#port.disconnect();
    this.#closed();
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsent = [];
    for (const listener of this.#closeListeners) listener();
  }
}
