import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { labelsIn } from './pairing-screen.ts';

/** From a change on one device until it is on the other: two seconds on each, and the tests' own steps. */
const EXCHANGE_MS = 60_000;

/** By name. */
export type Items = Record<string, string>;

interface SyncArea {
  get(names: readonly string[]): Promise<Items>;
  set(items: Items): Promise<void>;
}

/** What the browser syncs of the extension. @param tab a page of it */
export const itemsOf = (tab: Tab): Promise<Items> =>
  tab.evaluate((names: readonly string[]) => {
    type Api = Record<string, { storage: { sync: SyncArea } } | undefined>;
    const { browser: one, chrome: two } = globalThis as unknown as Api;
    return (one ?? two)!.storage.sync.get(names);
  }, ITEM_NAMES);

const putItems = (tab: Tab, items: Items): Promise<void> =>
  tab.evaluate((put: Items) => {
    type Api = Record<string, { storage: { sync: SyncArea } } | undefined>;
    const { browser: one, chrome: two } = globalThis as unknown as Api;
    return (one ?? two)!.storage.sync.set(put);
  }, items);

/** In the place of the browser's account: takes each item that has changed on a device to the other ones. */
export class Relay {
  readonly #devices: readonly { readonly tab: Tab; seen: Items }[];

  constructor(tabs: readonly Tab[]) {
    this.#devices = tabs.map((tab) => ({ tab, seen: {} }));
  }

  async carry(): Promise<void> {
    for (const from of this.#devices) {
      const items = await itemsOf(from.tab);
      const isNew = ([name, text]: [string, string]): boolean => from.seen[name] !== text;
      const changed = Object.fromEntries(Object.entries(items).filter(isNew));
      from.seen = items;
      if (Object.keys(changed).length === 0) continue;
      for (const to of this.#devices) {
        if (to === from) continue;
        await putItems(to.tab, changed);
        to.seen = { ...to.seen, ...changed };
      }
    }
  }

  /** Carries on until a device has these keys, or lacks one. */
  async until(session: BrowserSession, isRight: (labels: string) => boolean): Promise<void> {
    await this.untilSaid(() => labelsIn(session), isRight);
  }

  /** Carries on until a device says what is right. */
  async untilSaid<T>(ask: () => Promise<T>, isRight: (said: T) => boolean): Promise<void> {
    const end = Date.now() + EXCHANGE_MS;
    for (;;) {
      await this.carry();
      const said = await ask();
      if (isRight(said)) return;
      if (Date.now() > end) throw new Error(`Still: ${String(said)}`);
    }
  }
}
