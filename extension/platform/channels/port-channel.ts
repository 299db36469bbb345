import type { Runtime } from 'webextension-polyfill';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { greeting } from '../../../src/rpc/transport/codec.ts';
import type { Codec } from '../../../src/rpc/transport/codec.ts';

/*
 * Channels over runtime ports: background-channel.ts opens them, runtime-channel.ts is the background's end. The background
 * sends a greeting (codec.ts); until the other side has answered, no other message is sent.
 */

export const PORT_NAME = 'sealwright';

/** The codec that the first message settles, and the answer to it. */
export type Handshake = { readonly codec: Codec; readonly answer?: unknown } | undefined;

/** A runtime port as a channel. Messages sent before the handshake wait here. */
export class PortChannel implements Channel {
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
