/*
 * Messages on window between the two scripts of one frame, which the page's own listeners are not
 * to see: listened for in the capture phase, from before the page's first script on, and stopped.
 * A page can forge them all the same; nothing that arrives here is trusted.
 */
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { uncurry } from '../../../src/rpc/primordials.ts';
import { attributeOf, dataOf, listen, transferList, unlisten } from './message-port.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const sourceOf = attributeOf('source');
const originOf = attributeOf('origin');
const portsOf = attributeOf('ports') as (event: Event) => readonly MessagePort[];
const stop = uncurry(Event.prototype.stopImmediatePropagation);
const observe = uncurry(MutationObserver.prototype.observe);
const disconnect = uncurry(MutationObserver.prototype.disconnect);
const SafeObserver = MutationObserver;

/** What the scripts use of a window; tests hand in a small one. */
export interface FrameWindow extends EventTarget {
  readonly origin: string;
  readonly document: Node;
  postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void;
}

/**
 * @param peer who is taken to be at the other end; nobody decides anything by it
 * @param events of the window of both scripts
 */
export type OpenWindowChannel = (port: MessagePort, peer: Caller, events: WindowEvents) => Channel;

export interface WindowMessage {
  readonly data: unknown;
  readonly port: MessagePort | undefined;
}

/** Says whether a message was meant for it; then no later listener hears of that message. */
export type WindowMessageHandler = (message: WindowMessage) => boolean;

/** Messages of this frame to itself, and to nobody else. To be made in the script's first turn. */
export class WindowEvents {
  readonly #frame: FrameWindow;
  readonly #post: FrameWindow['postMessage'];
  readonly #origin: string;
  readonly #observer: MutationObserver;
  readonly #onEvent: (event: Event) => void;
  #handlers: WindowMessageHandler[] = [];

  constructor(frame: FrameWindow) {
    this.#frame = frame;
    this.#post = frame.postMessage;
    this.#origin = frame.origin;
    this.#onEvent = (event) => {
      if (sourceOf(event) !== frame || originOf(event) !== this.#origin) return;
      if (this.#isHandled({ data: dataOf(event), port: portsOf(event)[0] })) stop(event);
    };
    this.#listen();
    // document.open() takes all listeners off the window; it also replaces the document's children.
    this.#observer = new SafeObserver(() => this.#listen());
    observe(this.#observer, frame.document, { childList: true });
  }

  #isHandled(message: WindowMessage): boolean {
    for (let i = 0; i < this.#handlers.length; i++) {
      if (this.#handlers[i]!(message)) return true;
    }
    return false;
  }

  add(handler: WindowMessageHandler): void {
    this.#handlers[this.#handlers.length] = handler;
  }

  remove(handler: WindowMessageHandler): void {
    const others: WindowMessageHandler[] = [];
    for (let i = 0; i < this.#handlers.length; i++) {
      if (this.#handlers[i] !== handler) others[others.length] = this.#handlers[i]!;
    }
    this.#handlers = others;
  }

  /** Adding a listener that is there already changes nothing. */
  #listen(): void {
    listen(this.#frame, 'message', this.#onEvent, true);
  }

  post(message: unknown, transfer: Transferable[] = []): void {
    const frame = this.#frame;
    callPost(this.#post, frame, message, this.#origin, transferList(transfer));
  }

  close(): void {
    unlisten(this.#frame, 'message', this.#onEvent, true);
    disconnect(this.#observer);
  }
}

const callPost = uncurry(Function.prototype.call) as unknown as (
  post: FrameWindow['postMessage'],
  frame: FrameWindow,
  message: unknown,
  origin: string,
  transfer: Transferable[],
) => void;
