/*
 * The methods of ports and of the window's events as they were when the script loaded. A page may patch
 * its prototypes at any later time. In a content script these are the same calls.
 */
import { defineProperty, uncurry } from '../../../src/rpc/primordials.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const { getOwnPropertyDescriptor } = Object;

type Listener = (event: Event) => void;
type Listening = (target: EventTarget, type: string, listener: Listener, capture?: boolean) => void;
type Posting = (port: MessagePort, message: unknown, transfer?: Transferable[]) => void;

const postToPort: Posting = uncurry(
  MessagePort.prototype.postMessage as (message: unknown, transfer?: Transferable[]) => void,
);
const startPort = uncurry(MessagePort.prototype.start);
const closePort = uncurry(MessagePort.prototype.close);
export const listen: Listening = uncurry(EventTarget.prototype.addEventListener);
export const unlisten: Listening = uncurry(EventTarget.prototype.removeEventListener);

/** Reads an attribute of a message event. */
export function attributeOf(name: 'data' | 'source' | 'origin' | 'ports') {
  return getterOf(MessageEvent.prototype, name);
}
export const dataOf = attributeOf('data');

/** Whether a `pagehide` or `pageshow` event is about the back/forward cache. */
export const persistedOf = getterOf(PageTransitionEvent.prototype, 'persisted');

function getterOf(prototype: object, name: string): (event: Event) => unknown {
  return uncurry(getOwnPropertyDescriptor(prototype, name)!.get as (this: Event) => unknown);
}

/**
 * Gives a transfer list its own iterator: the browser iterates it by Symbol.iterator, and a page may
 * have replaced that of arrays.
 */
export function transferList(list: Transferable[]): Transferable[] {
  const iterator = (): Iterator<Transferable> => {
    let next = 0;
    return {
      next: () =>
        next < list.length
          ? { done: false, value: list[next++]! }
          : { done: true, value: undefined },
    };
  };
  // Without a prototype: a page may have put a getter into Object.prototype.
  defineProperty(list, Symbol.iterator, { __proto__: null, value: iterator } as PropertyDescriptor);
  return list;
}

/** One end of a MessageChannel. The browser queues messages until there is a listener. */
export class Port {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** @param transfer buffers that are transferred, which detaches them here */
  post(message: unknown, transfer: Transferable[] = []): void {
    if (transfer.length === 0) postToPort(this.#port, message);
    else postToPort(this.#port, message, transferList(transfer));
  }

  onMessage(listener: (message: unknown) => void): void {
    listen(this.#port, 'message', (event) => listener(dataOf(event)));
    startPort(this.#port);
  }

  close(): void {
    closePort(this.#port);
  }
}

/** Known answers of what is captured here, for page/self-check.ts. Throws where built-ins do. */
export function messagesWork(): boolean {
  const { port1, port2 } = new MessageChannel();
  const near = new Port(port1);
  const far = new Port(port2);
  near.onMessage(() => undefined);
  far.post(7);
  near.close();
  far.close();
  const event = new MessageEvent('message', { data: 7, origin: 'https://a.example' });
  const isRead = dataOf(event) === 7 && attributeOf('origin')(event) === 'https://a.example';
  return isRead && persistedOf(new PageTransitionEvent('pagehide', { persisted: true })) === true;
}
