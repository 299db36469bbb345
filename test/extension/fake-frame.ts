import sinon from 'sinon';
import type { Runtime } from 'webextension-polyfill';
import type { FrameWindow } from '../../extension/platform/channels/window-channel-events.ts';

/*
 * One frame for tests in Node: a window that posts messages to itself, the part of the DOM that
 * Node lacks, and a `browser.runtime` whose ports are plain objects.
 */

const mutationCallbacks = new Set<() => void>();

/** Has to stand before the modules under test load, because they capture it. */
class FakeMutationObserver {
  readonly #callback: () => void;
  constructor(callback: () => void) {
    this.#callback = callback;
  }
  observe(): void {
    mutationCallbacks.add(this.#callback);
  }
  disconnect(): void {
    mutationCallbacks.delete(this.#callback);
  }
}

/** Node's own takes no window for a source; messages of ports are still Node's. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its event below
const dataOfPortMessage = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')!.get!;
class FakeMessageEvent extends Event {
  readonly #fields: { data: unknown; source: unknown; origin: string; ports: MessagePort[] };
  constructor(fields: { data: unknown; source: unknown; origin: string; ports: MessagePort[] }) {
    super('message');
    this.#fields = fields;
  }
  get data(): unknown {
    return #fields in this ? this.#fields.data : (dataOfPortMessage.call(this) as unknown);
  }
  get source(): unknown {
    return this.#fields.source;
  }
  get origin(): string {
    return this.#fields.origin;
  }
  get ports(): MessagePort[] {
    return this.#fields.ports;
  }
}
/** Node's events are never trusted: what trusted ones do is tested in browsers. */
class FakePageTransitionEvent extends Event {
  get persisted(): boolean {
    return false;
  }
}
Object.assign(globalThis, {
  MutationObserver: FakeMutationObserver,
  MessageEvent: FakeMessageEvent,
  PageTransitionEvent: FakePageTransitionEvent,
});

export const ORIGIN = 'https://example.com';

export class FakeFrame extends EventTarget implements FrameWindow {
  readonly origin = ORIGIN;
  readonly document = {} as Node;

  postMessage(message: unknown, targetOrigin: string, transfer: Transferable[] = []): void {
    if (targetOrigin !== this.origin) return;
    const ports = transfer.filter((one) => one instanceof MessagePort);
    const buffers = transfer.filter((one) => !(one instanceof MessagePort));
    const data: unknown = structuredClone(message, { transfer: buffers as never });
    queueMicrotask(() => this.arrive(data, ports, this, this.origin));
  }

  /** A message event as the browser would make it, or as somebody forges it. */
  arrive(data: unknown, ports: MessagePort[], source: unknown, origin: string): void {
    this.dispatchEvent(new FakeMessageEvent({ data, ports, source, origin }));
  }

  /** What document.open() does to listeners, as far as the observers tell of it. */
  openDocument(): void {
    for (const callback of mutationCallbacks) callback();
  }
}

type Listener = (...args: never[]) => void;
const eventOf = () => {
  const listeners: Listener[] = [];
  return {
    addListener: (listener: Listener) => listeners.push(listener),
    fire: (...args: unknown[]) => {
      for (const listener of listeners) (listener as (...all: unknown[]) => void)(...args);
    },
  };
};

class FakePort {
  readonly name: string;
  readonly sender: unknown;
  readonly onMessage = eventOf();
  readonly onDisconnect = eventOf();
  other!: FakePort;
  isOpen = true;

  constructor(name: string, sender?: unknown) {
    this.name = name;
    this.sender = sender;
  }
  postMessage(message: unknown): void {
    if (!this.isOpen) throw new Error('Attempting to use a disconnected port object');
    const copy: unknown = structuredClone(message);
    queueMicrotask(() => this.other.isOpen && this.other.onMessage.fire(copy));
  }
  disconnect(): void {
    this.isOpen = false;
    queueMicrotask(() => this.other.drop());
  }
  drop(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onDisconnect.fire();
  }
}

/** `browser.runtime` for a content script and for the background that it reaches. */
export class FakeRuntime {
  id: string | undefined = 'abcdefgh';
  readonly onConnect = eventOf();
  readonly onMessage = eventOf();
  readonly connected: FakePort[] = [];
  sender: unknown = {
    id: 'abcdefgh',
    origin: ORIGIN,
    url: `${ORIGIN}/`,
    frameId: 0,
    documentId: 'D1',
    tab: { id: 1, url: `${ORIGIN}/`, incognito: false },
  };
  readonly connect = sinon.spy(({ name }: { name: string }) => {
    if (this.id === undefined) throw new Error('Extension context invalidated.');
    const [near, far] = [new FakePort(name), new FakePort(name, this.sender)];
    near.other = far;
    far.other = near;
    this.connected.push(far);
    queueMicrotask(() => this.onConnect.fire(far));
    return near;
  });

  getURL = (path: string): string => `chrome-extension://abcdefgh/${path}`;

  /** The background dies: all ports drop. */
  killBackground(): void {
    for (const port of this.connected.splice(0)) port.disconnect();
  }

  get asRuntime(): Runtime.Static {
    return this as unknown as Runtime.Static;
  }
}
