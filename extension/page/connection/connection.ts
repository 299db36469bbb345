import type { Channel } from '../../../src/rpc/channel.ts';
import { PING } from '../../../src/rpc/envelope.ts';
import type { EventName } from '../../../src/rpc/envelope.ts';
import { disconnected } from '../../../src/rpc/errors.ts';
import { pageHello, parseHello, portHello } from '../../../src/rpc/hello.ts';
import { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import { MethodClient } from '../../../src/rpc/client/method-client.ts';

import { SafeMessageChannel, timers } from '../primordials.ts';
import { DeferredChannel } from './deferred-channel.ts';

type PageClient = MethodClient<typeof CONTENT_METHODS>;

/** Both scripts run on one thread, so a ping is answered long before the next. */
const PING_EVERY_MS = 5_000;
/** When the page's hello is sent again, for a content script that starts late. */
const HELLO_AGAIN_MS: readonly number[] = [50, 200, 1_000, 3_000];

export interface PageConnectionDeps {
  readonly events: {
    add(take: (message: { data: unknown }) => boolean): void;
    post(message: unknown, transfer?: Transferable[]): void;
    onGone(listener: () => void): void;
  };
  openChannel(port: MessagePort): Channel;
  newId(): string;
  onEvent(name: EventName | 'reconnect'): void;
}

/**
 * The page's side of the handshake (src/rpc/hello.ts), and the client of the content script that answered
 * last. Calls wait until a content script has answered. After it has gone, calls end DISCONNECTED until
 * one of a reloaded extension says hello.
 */
export class PageConnection {
  readonly #deps: PageConnectionDeps;
  #channel!: DeferredChannel;
  #client: PageClient;
  #usedOffer: string | undefined;
  #state: 'waiting' | 'open' | 'gone' = 'waiting';
  #saidDisconnect = false;
  #isDocumentGone = false;

  constructor(deps: PageConnectionDeps) {
    this.#deps = deps;
    this.#client = this.#newClient();
    deps.events.add(({ data }) => this.#onWindowMessage(data));
    deps.events.onGone(() => this.#documentGone());
    this.#sayHello(0);
  }

  get client(): PageClient {
    return this.#client;
  }

  /**
   * Scripts of other frames may hold the API longer than its document exists. Then the browser runs no
   * promise jobs of this script, so callers have to fail before their first await.
   *
   * @throws SealwrightError DISCONNECTED
   */
  requireDocument(): void {
    if (this.#isDocumentGone) throw disconnected('The document of this API is gone');
  }

  #documentGone(): void {
    this.#isDocumentGone = true;
    this.#disconnect();
  }

  #sayHello(time: number): void {
    if (this.#state === 'open') return;
    this.#deps.events.post(pageHello());
    const againMs = HELLO_AGAIN_MS[time];
    if (againMs !== undefined) timers.start(() => this.#sayHello(time + 1), againMs);
  }

  #onWindowMessage(data: unknown): boolean {
    const hello = parseHello(data);
    if (hello?.sealwright !== 'content-hello') return false;
    if (hello.id === this.#usedOffer) return true;
    this.#usedOffer = hello.id;
    const channel = this.#handOver(hello.id);
    // Pages can forge a hello: a working channel is replaced only by one that answers.
    if (this.#state === 'open') whenAnswered(channel, () => this.#open(channel));
    else this.#open(channel);
    return true;
  }

  #handOver(offer: string): Channel {
    const { port1, port2 } = new SafeMessageChannel();
    this.#deps.events.post(portHello(offer), [port2]);
    return this.#deps.openChannel(port1);
  }

  /** A new content script replaces the one before it, which is an orphan even if it never said so. */
  #open(channel: Channel): void {
    if (this.#state === 'open') this.#disconnect();
    if (this.#state === 'gone') this.#client = this.#newClient();
    this.#state = 'open';
    this.#channel.bind(channel);
    if (this.#saidDisconnect) this.#deps.onEvent('reconnect');
    this.#saidDisconnect = false;
  }

  /** A client connects once: a content script that has gone is replaced by another one. */
  #newClient(): PageClient {
    const channel = new DeferredChannel((name) => this.#onEvent(name, channel));
    let isUsed = false;
    const connect = (): Channel => {
      if (isUsed && channel === this.#channel) this.#lost();
      if (isUsed) throw disconnected();
      isUsed = true;
      return channel;
    };
    this.#channel = channel;
    const idPrefix = this.#deps.newId();
    return new MethodClient(CONTENT_METHODS, {
      connect,
      timers,
      idPrefix,
      pingEveryMs: PING_EVERY_MS,
    });
  }

  #onEvent(name: EventName, channel: DeferredChannel): void {
    if (channel !== this.#channel) return;
    if (name === 'disconnect') this.#lost();
    else this.#deps.onEvent(name);
  }

  /** A content script that was only slow will answer this hello. */
  #lost(): void {
    this.#disconnect();
    this.#sayHello(HELLO_AGAIN_MS.length);
  }

  /** Ends the calls. The page gets `disconnect` only if there was a connection. */
  #disconnect(): void {
    const wasOpen = this.#state === 'open';
    this.#state = 'gone';
    this.#client.close(disconnected());
    this.#channel.close();
    if (!wasOpen) return;
    this.#saidDisconnect = true;
    this.#deps.onEvent('disconnect');
  }
}

/** Sends a ping on a channel, and runs `work` at the first message that comes back. */
function whenAnswered(channel: Channel, work: () => void): void {
  let isAnswered = false;
  channel.onMessage(() => {
    if (isAnswered) return;
    isAnswered = true;
    work();
  });
  channel.send(PING);
}
