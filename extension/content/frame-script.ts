import type { Caller, Channel } from '../../src/rpc/channel.ts';
import { event, parseMessage } from '../../src/rpc/envelope.ts';
import { disconnected } from '../../src/rpc/errors.ts';
import { MethodClient } from '../../src/rpc/client/method-client.ts';
import { laterByMessages } from '../../src/rpc/timers.ts';
import { isAlive } from '../platform/channels/is-alive.ts';
import { connectToBackground } from '../platform/channels/background-channel.ts';
import type { ContentRuntime } from '../platform/channels/background-channel.ts';
import type { WindowEvents } from '../platform/channels/window-channel-events.ts';
import { BACKGROUND_METHODS, type Background } from './bulk/forward.ts';
import { Leases } from './bulk/leases.ts';
import { ContentConnection } from './connection.ts';
import type { ContentConnectionDeps } from './connection.ts';
import type { Living, OwnMethod, OwnParams, OwnResult } from './alive.ts';
import { BACKGROUND_LIMITS, pageForwarder } from './forward.ts';

/** The peer of the page's channel. It identifies no page: the browser tells the background who calls. */
export const LOCAL_PAGE: Caller = {
  kind: 'page',
  origin: 'null',
  topOrigin: 'null',
  tabId: -1,
  frameId: -1,
  documentId: '',
  incognito: false,
  container: null,
};

/** No event tells a content script that its extension has gone, so it looks. */
export const LOOK_EVERY_MS = 3_000;

export interface FrameScriptDeps extends Pick<ContentConnectionDeps, 'openChannel' | 'newId'> {
  readonly events: ContentConnectionDeps['events'] & Pick<WindowEvents, 'onRestored'>;
  /** Of this frame. It decides only which events the page gets. */
  readonly origin: string;
  readonly runtime: ContentRuntime;
}

/**
 * The content script of one frame: it forwards its page's calls to the background, and serves those
 * on large messages itself.
 */
export class FrameScript implements Living {
  readonly #deps: FrameScriptDeps;
  readonly #client: Background;
  readonly #leases: Leases;
  readonly #connection: ContentConnection;
  /** Without timers: in a hidden tab those run once a second. */
  readonly #later = laterByMessages();
  readonly #timer: ReturnType<typeof setInterval>;
  #isOver = false;

  constructor(deps: FrameScriptDeps) {
    this.#deps = deps;
    this.#client = new MethodClient(BACKGROUND_METHODS, {
      connect: () => this.#connect(),
      limits: BACKGROUND_LIMITS,
    });
    this.#leases = new Leases(this.#client, this.#later);
    this.#client.onEvent((name) => this.#leases.onEvent(name));
    const forwarder = pageForwarder(this.#client, this.#leases, this.#later);
    this.#connection = new ContentConnection({
      events: deps.events,
      isAlive: () => this.isAlive(),
      openChannel: (port) => deps.openChannel(port),
      newId: () => deps.newId(),
      onChannel: (channel) => forwarder.attach(channel),
    });
    deps.events.onRestored(() => this.#restored());
    deps.runtime.onMessage.addListener(this.#onMessage);
    this.#timer = setInterval(() => this.isAlive(), LOOK_EVERY_MS);
  }

  /** Whether this script's extension still exists; if not, the script ends itself. */
  isAlive(): boolean {
    if (!this.#isOver && !isAlive(this.#deps.runtime)) this.#end();
    return !this.#isOver;
  }

  ask<M extends OwnMethod>(method: M, params: OwnParams<M>): Promise<OwnResult<M>> {
    return this.#client.call(method, params);
  }

  #connect(): Channel {
    if (!this.isAlive()) throw disconnected();
    const channel = connectToBackground(this.#deps.runtime);
    channel.onClose(() => this.isAlive());
    return channel;
  }

  /**
   * The page was in the back/forward cache. Chromium closes its port without telling the script, and
   * events for its tab may not have reached it: the grants behind the leases are asked for again.
   */
  #restored(): void {
    if (!this.isAlive()) return;
    this.#client.reconnect();
    this.#leases.onEvent('grantchange');
  }

  /** An event from the background to the tab. The page gets its name, and nothing about its cause. */
  readonly #onMessage = (raw: unknown): undefined => {
    const message = parseMessage(raw);
    if (message?.kind !== 'event') return undefined;
    const { name, origin = this.#deps.origin } = message;
    if (origin !== this.#deps.origin) return undefined;
    this.#leases.onEvent(name);
    this.#connection.send(event(name));
    return undefined;
  };

  /** Ends the page's calls, sends `disconnect`, and closes the channel. */
  #end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#client.close(disconnected());
    this.#leases.end(disconnected());
    // Some calls' failures are sent in later microtasks. The page should get them first.
    this.#later(() => {
      this.#connection.send(event('disconnect'));
      this.#connection.close();
    });
  }
}
