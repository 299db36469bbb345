import type { Commands, Menus, Idle } from 'webextension-polyfill';
import type { Presence } from '../../../src/service/vault/lock-keeper.ts';
import type { MenuItem } from '../windows/menus.ts';

/** In manifest.json, "commands". */
const LOCK_COMMAND = 'lock';
const LOCK_ITEM = 'lock';

/**
 * Calls back at the keyboard command, in whichever window of the browser it is pressed.
 *
 * @param commands absent in Firefox for Android, as all menus and commands
 */
export function onLockCommand(commands: Commands.Static | undefined, listener: () => void): void {
  commands?.onCommand.addListener((command) => {
    if (command === LOCK_COMMAND) listener();
  });
}

/** An item in the menu of the toolbar button. */
export function lockItem(title: string): MenuItem {
  return { id: LOCK_ITEM, title, contexts: ['action'] };
}

export function onLockMenu(contextMenus: Menus.Static | undefined, listener: () => void): void {
  contextMenus?.onClicked.addListener(({ menuItemId }) => {
    if (menuItemId === LOCK_ITEM) listener();
  });
}

/** Whether the user has used the keyboard or the pointer, in any program, within this time. */
const PRESENT_WITHIN_S = 60;

/** Where the browser does not say, the user counts as present. */
export class UserPresence implements Presence {
  readonly #idle: Pick<Idle.Static, 'queryState'> | undefined;

  constructor(idle: Pick<Idle.Static, 'queryState'> | undefined) {
    this.#idle = idle;
  }

  async isActive(): Promise<boolean> {
    const state = await this.#idle?.queryState(PRESENT_WITHIN_S).catch(() => undefined);
    return (state ?? 'active') === 'active';
  }
}

/** Calls back when the operating system's screen is locked. */
export function onScreenLock(idle: Idle.Static | undefined, listener: () => void): void {
  idle?.onStateChanged.addListener((state) => {
    if (state === 'locked') listener();
  });
}
