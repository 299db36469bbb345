import type { Commands, Menus } from 'webextension-polyfill';
import type { FieldSessionKind } from '../../../src/rpc/methods/ui-fields.ts';
import type { FieldPlace } from './field-sessions.ts';
import type { MenuItem } from '../windows/menus.ts';

/*
 * Menu items and keyboard commands that seal or open text of a page. Each is an action of the user that
 * gives the extension access to the tab (activeTab). Before it, no script of the extension is in the page.
 */

type Listener = (place: FieldPlace, kind: FieldSessionKind) => void;

/** Menu item → the kind of its field session, where it is shown, and its message. */
const ITEMS = {
  'seal-field': { kind: 'seal', contexts: ['editable'], words: 'sealThisField' },
  'write-sealed': { kind: 'write', contexts: ['editable'], words: 'writeSealed' },
  'open-sealed': {
    kind: 'open',
    contexts: ['editable', 'selection', 'page', 'link', 'frame'],
    words: 'openSealed',
  },
} as const satisfies Record<
  string,
  { kind: FieldSessionKind; contexts: Menus.ContextType[]; words: string }
>;

/** In manifest.json, "commands". */
const COMMANDS: Readonly<Record<string, FieldSessionKind>> = {
  'write-sealed': 'write',
  'open-sealed': 'open',
};

type Words = (typeof ITEMS)[keyof typeof ITEMS]['words'];

export function fieldItems(words: (name: Words) => string): MenuItem[] {
  return Object.entries(ITEMS).map(([id, item]) => ({
    id,
    title: words(item.words),
    contexts: [...item.contexts],
  }));
}

/** @param contextMenus absent in Firefox for Android, as all menus and commands */
export function onFieldMenu(contextMenus: Menus.Static | undefined, listener: Listener): void {
  contextMenus?.onClicked.addListener(({ menuItemId, frameId, frameUrl, pageUrl }, tab) => {
    if (typeof menuItemId !== 'string' || !Object.hasOwn(ITEMS, menuItemId)) return;
    if (tab?.id === undefined) return;
    const { kind } = ITEMS[menuItemId as keyof typeof ITEMS];
    listener({ tabId: tab.id, frameId, address: frameUrl ?? pageUrl }, kind);
  });
}

export function onFieldCommand(commands: Commands.Static | undefined, listener: Listener): void {
  commands?.onCommand.addListener((command, tab) => {
    if (!Object.hasOwn(COMMANDS, command) || tab?.id === undefined) return;
    listener({ tabId: tab.id }, COMMANDS[command]!);
  });
}
