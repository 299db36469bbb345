import type { Tabs } from 'webextension-polyfill';
import type { Caller } from '../../../src/rpc/channel.ts';
import { event } from '../../../src/rpc/envelope.ts';
import type { ConnectedChannels } from '../../../src/rpc/server/connected-channels.ts';
import type { Scope } from '../../../src/service/calls/frame-policy.ts';
import { patternOf, type Sites } from '../../../src/service/system/sites.ts';
import type { StateEvents } from '../../../src/service/system/state-events.ts';

export interface TabEventsDeps {
  readonly tabs: Pick<Tabs.Static, 'query' | 'sendMessage'>;
  readonly sites: Pick<Sites, 'enabled'>;
  readonly channels: Pick<ConnectedChannels, 'broadcast'>;
}

/**
 * Tells the content scripts of open tabs. Frames need no open port for it, so an idle one costs
 * none; one that is at work hears of what ends its work over its port as well, which is faster.
 */
export class TabEvents implements StateEvents {
  readonly #deps: TabEventsDeps;

  constructor(deps: TabEventsDeps) {
    this.#deps = deps;
  }

  lock(): void {
    this.#deps.channels.broadcast(event('lock'), isPage);
    void this.#tellAll(event('lock'));
  }

  unlock(): void {
    void this.#tellAll(event('unlock'));
  }

  /**
   * All frames of the tabs with that top page; content scripts of other origins keep it to
   * themselves. Whoever could break into one of them shows in that very page and learns no visit.
   */
  grantchange({ origin, topOrigin }: Pick<Scope, 'origin' | 'topOrigin'>): void {
    const message = event('grantchange', origin);
    this.#deps.channels.broadcast(
      message,
      (caller) => isPage(caller) && caller.origin === origin && caller.topOrigin === topOrigin,
    );
    void this.#tellPages(topOrigin, message);
  }

  async #tellAll(message: object): Promise<void> {
    const url = [...(await this.#deps.sites.enabled())];
    if (url.length === 0) return;
    const tabs = await this.#deps.tabs.query({ url });
    await Promise.all(tabs.map((tab) => this.#tell(message, tab)));
  }

  async #tellPages(topOrigin: string, message: object): Promise<void> {
    const tabs = await this.#deps.tabs.query({ url: patternOf(topOrigin) });
    const own = tabs.filter(({ url }) => url !== undefined && new URL(url).origin === topOrigin);
    await Promise.all(own.map((tab) => this.#tell(message, tab)));
  }

  /** A tab whose page has not been served yet has nobody to tell: that is no fault. */
  async #tell(message: object, { id }: Tabs.Tab): Promise<void> {
    if (id === undefined) return;
    await this.#deps.tabs.sendMessage(id, message).catch(() => undefined);
  }
}

function isPage(caller: Caller): caller is Extract<Caller, { kind: 'page' }> {
  return caller.kind === 'page';
}
