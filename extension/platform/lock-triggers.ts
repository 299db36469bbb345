import type { Commands, Menus, Runtime } from 'webextension-polyfill';

/** In manifest.json, "commands". */
const LOCK_COMMAND = 'lock';
const LOCK_ITEM = 'lock';

/** Calls back at the keyboard command, wherever the browser has the focus. */
export function onLockCommand(commands: Commands.Static, listener: () => void): void {
  commands.onCommand.addListener((command) => {
    if (command === LOCK_COMMAND) listener();
  });
}

interface MenuParts {
  readonly contextMenus: Menus.Static;
  readonly runtime: Runtime.Static;
}

/**
 * An item in the menu of the toolbar button. The browser keeps it over restarts of the background,
 * so it is made at installation; an update makes it anew, with the words of the new version.
 */
export function onLockMenu(
  { contextMenus, runtime }: MenuParts,
  title: string,
  listener: () => void,
): void {
  runtime.onInstalled.addListener(() => {
    void contextMenus.removeAll().then(() => {
      contextMenus.create({ id: LOCK_ITEM, title, contexts: ['action'] });
    });
  });
  contextMenus.onClicked.addListener(({ menuItemId }) => {
    if (menuItemId === LOCK_ITEM) listener();
  });
}
