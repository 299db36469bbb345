import type { Caller, Channel } from '../../src/rpc/channel.ts';
import { MethodClient } from '../../src/rpc/client/method-client.ts';
import { disconnected } from '../../src/rpc/errors.ts';
import type { EventName } from '../../src/rpc/envelope.ts';
import { CONTENT_METHODS } from '../../src/rpc/methods/content.ts';
import { SYSTEM_LATER } from '../../src/rpc/timers.ts';
import type { Timers } from '../../src/rpc/timers.ts';
import { BACKGROUND_METHODS } from '../content/bulk/forward.ts';
import { Leases } from '../content/bulk/leases.ts';
import { BACKGROUND_LIMITS, pageForwarder } from '../content/forward.ts';
import { Sealwright } from '../page/api/api.ts';
import { providerInfo } from '../page/connection/info.ts';
import { Calls } from '../page/connection/calls.ts';
import type { CallingConnection } from '../page/connection/calls.ts';
import { CONTENT_SCRIPT } from '../page/connection/deferred-channel.ts';
import { memoryChannel } from './memory.ts';

type PageClient = MethodClient<typeof CONTENT_METHODS>;

/** A page's script and its content script, over channels in memory. */
export class TestPage implements CallingConnection {
  readonly provider: Sealwright;
  readonly #connect: () => Channel;
  readonly #caller: Caller;
  readonly #timers: Timers;
  #client: PageClient;
  #leases: Leases | undefined;
  #end: () => void = () => undefined;

  /** @param connect opens a channel to the background, as this page's frame */
  constructor(caller: Caller, timers: Timers, connect: () => Channel) {
    this.#caller = caller;
    this.#timers = timers;
    this.#connect = connect;
    this.#client = this.#started();
    this.provider = new Sealwright(providerInfo(crypto.randomUUID()), new Calls(this));
  }

  get client(): PageClient {
    return this.#client;
  }

  /** The document of a test does not end. */
  requireDocument(): void {}

  /** What the browser and the background tell a content script, which tells its page. */
  hear(name: EventName | 'reconnect'): void {
    if (name !== 'reconnect') this.#leases?.onEvent(name);
    this.provider.dispatchEvent(new Event(name));
  }

  /** The extension is gone: calls under way and new ones end DISCONNECTED. */
  disconnect(): void {
    this.#end();
    this.hear('disconnect');
  }

  /** It is back, with a content script of its own. */
  reconnect(): void {
    this.#client = this.#started();
    this.hear('reconnect');
  }

  #started(): PageClient {
    const background = new MethodClient(BACKGROUND_METHODS, {
      connect: this.#connect,
      limits: BACKGROUND_LIMITS,
      timers: this.#timers,
    });
    const leases = new Leases(background, SYSTEM_LATER);
    const forwarder = pageForwarder(background, leases, SYSTEM_LATER);
    const client = new MethodClient(CONTENT_METHODS, {
      connect: () => {
        const [near, far] = memoryChannel(CONTENT_SCRIPT, this.#caller);
        forwarder.attach(far);
        return near;
      },
      idPrefix: crypto.randomUUID(),
      timers: this.#timers,
    });
    this.#leases = leases;
    this.#end = () => {
      client.close(disconnected());
      background.close(disconnected());
    };
    return client;
  }
}
