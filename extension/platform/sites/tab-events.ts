import type { Tabs } from 'webextension-polyfill';
import type { Caller } from '../../../src/rpc/channel.ts';
import { event } from '../../../src/rpc/envelope.ts';
import type { ConnectedChannels } from '../../../src/rpc/server/connected-channels.ts';
import type { Scope } from '../../../src/service/calls/frame-policy.ts';
import { patternOf, type Sites } from '../../../src/service/ports/sites.ts';
import type { StateEvents } from '../../../src/service/ports/state-events.ts';

export interface TabEventsDeps {
  readonly tabs: Pick<Tabs.Static, 'query' | 'sendMessage'>;
  readonly sites: Pick<Sites, 'enabled'>;
  readonly channels: Pick<ConnectedChannels, 'broadcast'>;
}

/**
 * Sends events to the content scripts of open tabs. Idle frames need no open port for it. A frame that
 * has a port also gets the events that end its work over the port, which is faster.
 */
export class TabEvents implements StateEvents {
  readonly #deps: TabEventsDeps;

  constructor(deps: TabEventsDeps) {
    this.#deps = deps;
  }

  lock(): void {
    this.#deps.channels.broadcast(event('lock'), isPage);
    void this.#sendToAll(event('lock'));
  }

  unlock(): void {
    void this.#sendToAll(event('unlock'));
  }

  /**
   * Goes to all frames of the tabs with that top page. Content scripts of other origins do not pass it on
   * to their page. A compromised one is embedded in that top page already and learns nothing of the user's
   * browsing.
   */
  grantchange({ origin, topOrigin }: Pick<Scope, 'origin' | 'topOrigin'>): void {
    const message = event('grantchange', origin);
    this.#deps.channels.broadcast(
      message,
      (caller) => isPage(caller) && caller.origin === origin && caller.topOrigin === topOrigin,
    );
    void this.#sendToPages(topOrigin, message);
  }

  async #sendToAll(message: object): Promise<void> {
    const url = [...(await this.#deps.sites.enabled())];
    if (url.length === 0) return;
    const tabs = await this.#deps.tabs.query({ url });
    await Promise.all(tabs.map((tab) => this.#send(message, tab)));
  }

  async #sendToPages(topOrigin: string, message: object): Promise<void> {
    const tabs = await this.#deps.tabs.query({ url: patternOf(topOrigin) });
    const own = tabs.filter(({ url }) => url !== undefined && new URL(url).origin === topOrigin);
    await Promise.all(own.map((tab) => this.#send(message, tab)));
  }

  /** Ignores failures: a tab without a content script takes no message. */
  async #send(message: object, { id }: Tabs.Tab): Promise<void> {
    if (id === undefined) return;
    await this.#deps.tabs.sendMessage(id, message).catch(() => undefined);
  }
}

function isPage(caller: Caller): caller is Extract<Caller, { kind: 'page' }> {
  return caller.kind === 'page';
}
