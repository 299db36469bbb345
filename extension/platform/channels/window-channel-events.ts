/*
 * Messages on window between the two scripts of one frame. They are handled in the capture phase, by
 * listeners that are added before the page's first script, and stopped, so that the page's listeners do
 * not see them. A page can forge them: nothing that arrives here is trusted.
 */
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { uncurry } from '../../../src/rpc/primordials.ts';
import {
  attributeOf,
  dataOf,
  listen,
  persistedOf,
  transferList,
  unlisten,
} from './message-port.ts';
import { onRewritten } from './rewritten.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const sourceOf = attributeOf('source');
const originOf = attributeOf('origin');
const portsOf = attributeOf('ports') as (event: Event) => readonly MessagePort[];
const stop = uncurry(Event.prototype.stopImmediatePropagation);

/** What the scripts use of a window; tests hand in a small one. */
export interface FrameWindow extends EventTarget {
  readonly origin: string;
  readonly document: Node;
  postMessage(message: unknown, targetOrigin: string, transfer?: Transferable[]): void;
}

/**
 * @param peer of the channel; no decision depends on it
 * @param events of the window of both scripts
 * @param side the script that this end belongs to
 */
export type OpenWindowChannel = (
  port: MessagePort,
  peer: Caller,
  events: WindowEvents,
  side: 'page' | 'content',
) => Channel;

export interface WindowMessage {
  readonly data: unknown;
  readonly port: MessagePort | undefined;
}

/** @returns whether the message was meant for it; then no later listener gets it */
export type WindowMessageHandler = (message: WindowMessage) => boolean;

/** Messages of this frame to itself, and its end. To be created in the script's first task. */
export class WindowEvents {
  readonly #frame: FrameWindow;
  readonly #post: FrameWindow['postMessage'];
  readonly #origin: string;
  readonly #endListening: () => void;
  readonly #onEvent: (event: Event) => void;
  readonly #onHide: (event: Event) => void;
  readonly #onShow: (event: Event) => void;
  #handlers: WindowMessageHandler[] = [];
  #onGone: () => void = () => undefined;
  #restoredListeners: (() => void)[] = [];

  constructor(frame: FrameWindow) {
    this.#frame = frame;
    this.#post = frame.postMessage;
    this.#origin = frame.origin;
    this.#onEvent = (event) => {
      if (sourceOf(event) !== frame || originOf(event) !== this.#origin) return;
      if (this.#isHandled({ data: dataOf(event), port: portsOf(event)[0] })) stop(event);
    };
    this.#onHide = (event) => {
      if (event.isTrusted && !persistedOf(event)) this.#onGone();
    };
    this.#onShow = (event) => {
      if (event.isTrusted && persistedOf(event)) this.#restored();
    };
    this.#listen();
    this.#endListening = onRewritten(frame.document, () => this.#listen());
  }

  /**
   * One listener, for the end of the document: its frame is removed, or has another document from now on.
   * The browser then runs no promise jobs of this script, or only those of this task.
   */
  onGone(listener: () => void): void {
    this.#onGone = listener;
  }

  /** For the document's return from the back/forward cache. @returns removes the listener */
  onRestored(listener: () => void): () => void {
    this.#restoredListeners[this.#restoredListeners.length] = listener;
    return () => (this.#restoredListeners = without(this.#restoredListeners, listener));
  }

  #restored(): void {
    const listeners = this.#restoredListeners;
    for (let i = 0; i < listeners.length; i++) listeners[i]!();
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
    this.#handlers = without(this.#handlers, handler);
  }

  /** Pages cannot make trusted events. */
  #listen(): void {
    listen(this.#frame, 'message', this.#onEvent, true);
    listen(this.#frame, 'pagehide', this.#onHide, true);
    listen(this.#frame, 'pageshow', this.#onShow, true);
  }

  post(message: unknown, transfer: Transferable[] = []): void {
    const frame = this.#frame;
    callPost(this.#post, frame, message, this.#origin, transferList(transfer));
  }

  close(): void {
    unlisten(this.#frame, 'message', this.#onEvent, true);
    unlisten(this.#frame, 'pagehide', this.#onHide, true);
    unlisten(this.#frame, 'pageshow', this.#onShow, true);
    this.#endListening();
  }
}

/** Like `filter`, which a page may have replaced. */
function without<T>(list: readonly T[], removed: T): T[] {
  const rest: T[] = [];
  for (let i = 0; i < list.length; i++) {
    if (list[i] !== removed) rest[rest.length] = list[i]!;
  }
  return rest;
}

const callPost = uncurry(Function.prototype.call) as unknown as (
  post: FrameWindow['postMessage'],
  frame: FrameWindow,
  message: unknown,
  origin: string,
  transfer: Transferable[],
) => void;
