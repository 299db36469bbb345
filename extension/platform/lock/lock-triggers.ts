import type { Commands, Menus, Idle } from 'webextension-polyfill';
import type { MenuItem } from '../windows/menus.ts';

/** In manifest.json, "commands". */
const LOCK_COMMAND = 'lock';
const LOCK_ITEM = 'lock';

/** Calls back at the keyboard command, in whichever window of the browser it is pressed. */
export function onLockCommand(commands: Commands.Static, listener: () => void): void {
  commands.onCommand.addListener((command) => {
    if (command === LOCK_COMMAND) listener();
  });
}

/** An item in the menu of the toolbar button. */
export function lockItem(title: string): MenuItem {
  return { id: LOCK_ITEM, title, contexts: ['action'] };
}

export function onLockMenu(contextMenus: Menus.Static, listener: () => void): void {
  contextMenus.onClicked.addListener(({ menuItemId }) => {
    if (menuItemId === LOCK_ITEM) listener();
  });
}

/** Calls back when the operating system's screen is locked. */
export function onScreenLock(idle: Idle.Static, listener: () => void): void {
  idle.onStateChanged.addListener((state) => {
    if (state === 'locked') listener();
  });
}
