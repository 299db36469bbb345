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
 * Creates the extension's menu items. The browser keeps them over restarts of the background, so they are
 * created at installation, and again at an update with the new version's texts.
 */
export function makeMenus({ contextMenus, runtime }: MenuDeps, items: readonly MenuItem[]): void {
  runtime.onInstalled.addListener(() => {
    void contextMenus.removeAll().then(() => {
      for (const item of items) contextMenus.create(item);
    });
  });
}
