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
 * Channels over runtime ports, both ends. The background sends a greeting (codec.ts); until the other
 * side has answered, no other message is sent. Large payloads are sent in chunks.
 */

export const PORT_NAME = 'sealwright';

/** An honest document has one, and for a moment a second one after an update. Each takes about 5 KB here. */
export const PORTS_OF_DOCUMENT = 16;

/** The peer of a channel to the background, which is not used to decide anything. */
const BACKGROUND: Caller = { kind: 'surface', page: 'manager' };

export type ConnectingRuntime = Pick<Runtime.Static, 'id' | 'connect' | 'lastError'>;
/** What a content script uses of `browser.runtime`. */
export type ContentRuntime = ConnectingRuntime & Pick<Runtime.Static, 'onMessage'>;
export type ListeningRuntime = CallerRuntime & Pick<Runtime.Static, 'onConnect' | 'lastError'>;

/**
 * Opens a channel to the background, which wakes it. For content scripts and extension pages.
 *
 * @throws SealwrightError DISCONNECTED when this script has outlived its extension
 */
export function connectToBackground(runtime: ConnectingRuntime): Channel {
  const inner = new PortChannel(open(runtime), runtime, BACKGROUND, (message) => {
    const codec = codecOfGreeting(message);
    return codec && { codec, answer: greetingAnswer(codec) };
  });
  return new ChunkingChannel(inner);
}

function open(runtime: ConnectingRuntime): Runtime.Port {
  if (!isAlive(runtime)) throw disconnected();
  try {
    return runtime.connect({ name: PORT_NAME });
  } catch {
    // "Extension context invalidated": it was reloaded, updated or removed since the check.
    throw disconnected();
  }
}

/**
 * Passes every channel that a caller opens to `accept`. To be called in the background's first task, so
 * that a connection that woke it is not missed. Ports of unidentified callers are disconnected, and those of a
 * document that has PORTS_OF_DOCUMENT.
 */
export function listenForChannels(
  runtime: ListeningRuntime,
  accept: (channel: Channel) => void,
): void {
  const budgets = new ReceivingBudgets();
  const ports = new PortCounts();
  runtime.onConnect.addListener((port) => {
    const caller = port.name === PORT_NAME ? callerOf(port.sender, runtime) : undefined;
    const release = caller && ports.take(caller);
    if (!caller || !release) {
      port.disconnect();
      return;
    }
    const inner = new PortChannel(port, runtime, caller, (message) => {
      const codec = codecOfAnswer(message);
      return codec && { codec };
    });
    const { leave, ...share } = budgets.join(caller);
    const channel = new ChunkingChannel(inner, share);
    inner.onClose(leave); // after the channel, which releases its budget first
    inner.onClose(release);
    accept(channel);
    inner.greet();
  });
}

/** Counts the open ports of documents. The extension's own pages have any number. */
class PortCounts {
  readonly #open = new Map<string, number>();

  /** @returns gives the place back; undefined where the document has none left */
  take(caller: Caller): (() => void) | undefined {
    if (caller.kind === 'surface') return () => undefined;
    // With the origin: where the browser names no documents, the next one of a frame has the same id.
    const document = `${caller.origin}\n${caller.documentId}`;
    const count = this.#open.get(document) ?? 0;
    if (count >= PORTS_OF_DOCUMENT) return undefined;
    this.#open.set(document, count + 1);
    return () => {
      const left = this.#open.get(document)! - 1;
      if (left > 0) this.#open.set(document, left);
      else this.#open.delete(document);
    };
  }
}

/** The codec that the first message settles, and the answer to it. */
type Handshake = { readonly codec: Codec; readonly answer?: unknown } | undefined;

/** A runtime port as a channel. Messages sent before the handshake wait here. */
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

  #begin(handshake: Handshake): void {
    if (!handshake) return;
    if (handshake.answer !== undefined) this.#post(handshake.answer);
    this.#codec = handshake.codec;
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const message of unsent) this.send(message);
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    if (this.#codec) this.#post(this.#codec.encode(message));
    else this.#unsent.push(message);
  }

  /** A port throws when its other end has gone and the `disconnect` event has not arrived yet. */
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
