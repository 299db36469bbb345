import type { Menus as BrowserApi, Runtime } from 'webextension-polyfill';
import type { Menus } from '../../../src/service/status/page-values.ts';
import type { Words } from './chosen-words.ts';

/** An item of the browser's menus. */
export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly contexts: BrowserApi.ContextType[];
}

interface MenusDeps {
  /** Absent in Firefox for Android, which has no menus of extensions. */
  readonly contextMenus: Pick<BrowserApi.Static, 'create' | 'removeAll' | 'update'> | undefined;
  readonly runtime: Pick<Runtime.Static, 'onInstalled'>;
  readonly words: () => Promise<Words>;
  readonly items: (words: Words) => readonly MenuItem[];
}

/**
 * The extension's items in the browser's menus. The browser keeps them over restarts of the background, so they are
 * created at installation, and again at an update with the new version's texts.
 */
export class BrowserMenus implements Menus {
  readonly #deps: MenusDeps;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: MenusDeps) {
    this.#deps = deps;
  }

  listen(): void {
    this.#deps.runtime.onInstalled.addListener(() => this.#then(() => this.#create()));
  }

  translate(): void {
    this.#then(() => this.#rename());
  }

  /** One after the other: two at once would create an item twice. */
  #then(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch(() => undefined);
  }

  async #create(): Promise<void> {
    const { contextMenus, items, words } = this.#deps;
    if (!contextMenus) return;
    const named = items(await words());
    await contextMenus.removeAll();
    for (const item of named) contextMenus.create(item);
  }

  async #rename(): Promise<void> {
    const { contextMenus, items, words } = this.#deps;
    if (!contextMenus) return;
    const named = items(await words());
    await Promise.allSettled(named.map(({ id, title }) => contextMenus.update(id, { title })));
  }
}
