import type { Menus, Runtime } from 'webextension-polyfill';

export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly contexts: Menus.ContextType[];
}

interface MenuDeps {
  readonly contextMenus: Menus.Static;
  readonly runtime: Pick<Runtime.Static, 'onInstalled'>;
}

/**
 * All that we have in the browser's menus. It keeps them over restarts of the background, so they are
 * made at installation; an update makes them anew, with the words of the new version.
 */
export function makeMenus({ contextMenus, runtime }: MenuDeps, items: readonly MenuItem[]): void {
  runtime.onInstalled.addListener(() => {
    void contextMenus.removeAll().then(() => {
      for (const item of items) contextMenus.create(item);
    });
  });
}
