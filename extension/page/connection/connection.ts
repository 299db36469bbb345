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

/** Both scripts live on one thread: an answer to a ping is due long before the next. */
const PING_EVERY_MS = 5_000;
/** A content script that starts late hears the page's hello again, or says its own. */
const HELLO_AGAIN_MS: readonly number[] = [50, 200, 1_000, 3_000];

export interface PageConnectionDeps {
  readonly events: {
    add(take: (message: { data: unknown }) => boolean): void;
    post(message: unknown, transfer?: Transferable[]): void;
  };
  openChannel(port: MessagePort): Channel;
  newId(): string;
  onEvent(name: EventName | 'reconnect'): void;
}

/**
 * The page's end of the hello (src/rpc/hello.ts), and the client of whatever content script
 * answered it last. Calls made before there is one wait; calls after it has gone end DISCONNECTED
 * until a new one, of a reloaded extension, says hello.
 */
export class PageConnection {
  readonly #deps: PageConnectionDeps;
  #line!: DeferredChannel;
  #client: PageClient;
  #usedOffer: string | undefined;
  #state: 'waiting' | 'open' | 'gone' = 'waiting';
  #saidDisconnect = false;

  constructor(deps: PageConnectionDeps) {
    this.#deps = deps;
    this.#client = this.#newClient();
    deps.events.add(({ data }) => this.#take(data));
    this.#sayHello(0);
  }

  get client(): PageClient {
    return this.#client;
  }

  #sayHello(time: number): void {
    if (this.#state === 'open') return;
    this.#deps.events.post(pageHello());
    const againMs = HELLO_AGAIN_MS[time];
    if (againMs !== undefined) timers.start(() => this.#sayHello(time + 1), againMs);
  }

  #take(data: unknown): boolean {
    const hello = parseHello(data);
    if (hello?.sealwright !== 'content-hello') return false;
    if (hello.id === this.#usedOffer) return true;
    this.#usedOffer = hello.id;
    const channel = this.#handOver(hello.id);
    // A page can say hello too: a line that carries is given up only for one that answers.
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
    this.#line.bind(channel);
    if (this.#saidDisconnect) this.#deps.onEvent('reconnect');
    this.#saidDisconnect = false;
  }

  /** Its line serves once: a content script does not come back, another takes its place. */
  #newClient(): PageClient {
    const line = new DeferredChannel((name) => this.#onEvent(name, line));
    let isUsed = false;
    const connect = (): Channel => {
      if (isUsed && line === this.#line) this.#lost();
      if (isUsed) throw disconnected();
      isUsed = true;
      return line;
    };
    this.#line = line;
    const idPrefix = this.#deps.newId();
    return new MethodClient(CONTENT_METHODS, {
      connect,
      timers,
      idPrefix,
      pingEveryMs: PING_EVERY_MS,
    });
  }

  #onEvent(name: EventName, line: DeferredChannel): void {
    if (line !== this.#line) return;
    if (name === 'disconnect') this.#lost();
    else this.#deps.onEvent(name);
  }

  /** What looked lost may only have been slow: it will answer this hello. */
  #lost(): void {
    this.#disconnect();
    this.#sayHello(HELLO_AGAIN_MS.length);
  }

  /** The line before its first hello can be lost too: then there is nobody to miss. */
  #disconnect(): void {
    const wasOpen = this.#state === 'open';
    this.#state = 'gone';
    this.#client.close(disconnected());
    this.#line.close();
    if (!wasOpen) return;
    this.#saidDisconnect = true;
    this.#deps.onEvent('disconnect');
  }
}

/** Runs `work` at the first thing said on a channel, to which a ping invites. */
function whenAnswered(channel: Channel, work: () => void): void {
  let isAnswered = false;
  channel.onMessage(() => {
    if (isAnswered) return;
    isAnswered = true;
    work();
  });
  channel.send(PING);
}
