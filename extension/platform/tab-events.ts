import type { Tabs } from 'webextension-polyfill';
import { event } from '../../src/rpc/envelope.ts';
import type { Scope } from '../../src/service/frame-policy.ts';
import { patternOf, type Sites } from '../../src/service/sites.ts';
import type { StateEvents } from '../../src/service/state-events.ts';

export interface TabEventsParts {
  readonly tabs: Pick<Tabs.Static, 'query' | 'sendMessage'>;
  readonly sites: Pick<Sites, 'enabled'>;
}

/** Tells the content scripts of open tabs. Frames need no open port for it, so an idle one costs none. */
export class TabEvents implements StateEvents {
  readonly #parts: TabEventsParts;

  constructor(parts: TabEventsParts) {
    this.#parts = parts;
  }

  lock(): void {
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
    void this.#tellPages(topOrigin, event('grantchange', origin));
  }

  async #tellAll(message: object): Promise<void> {
    const url = [...(await this.#parts.sites.enabled())];
    if (url.length === 0) return;
    const tabs = await this.#parts.tabs.query({ url });
    await Promise.all(tabs.map((tab) => this.#tell(message, tab)));
  }

  async #tellPages(topOrigin: string, message: object): Promise<void> {
    const tabs = await this.#parts.tabs.query({ url: patternOf(topOrigin) });
    const own = tabs.filter(({ url }) => url !== undefined && new URL(url).origin === topOrigin);
    await Promise.all(own.map((tab) => this.#tell(message, tab)));
  }

  /** A tab whose page has not been served yet has nobody to tell: that is no fault. */
  async #tell(message: object, { id }: Tabs.Tab): Promise<void> {
    if (id === undefined) return;
    await this.#parts.tabs.sendMessage(id, message).catch(() => undefined);
  }
}
