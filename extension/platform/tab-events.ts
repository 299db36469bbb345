import type { Tabs } from 'webextension-polyfill';
import { event, type EventName } from '../../src/rpc/envelope.ts';
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
    void this.#tellAll('lock');
  }

  unlock(): void {
    void this.#tellAll('unlock');
  }

  /** The top frames of the origin alone: a frame of another site must not learn of it. */
  grantchange(origin: string): void {
    void this.#tellOrigin('grantchange', origin);
  }

  async #tellAll(name: EventName): Promise<void> {
    const url = [...(await this.#parts.sites.enabled())];
    if (url.length === 0) return;
    const tabs = await this.#parts.tabs.query({ url });
    await Promise.all(tabs.map((tab) => this.#tell(name, tab)));
  }

  async #tellOrigin(name: EventName, origin: string): Promise<void> {
    const tabs = await this.#parts.tabs.query({ url: patternOf(origin) });
    const own = tabs.filter(({ url }) => url !== undefined && new URL(url).origin === origin);
    await Promise.all(own.map((tab) => this.#tell(name, tab, { frameId: 0 })));
  }

  /** A tab whose page has not been served yet has nobody to tell: that is no fault. */
  async #tell(name: EventName, { id }: Tabs.Tab, frame: { frameId?: number } = {}): Promise<void> {
    if (id === undefined) return;
    await this.#parts.tabs.sendMessage(id, event(name), frame).catch(() => undefined);
  }
}
