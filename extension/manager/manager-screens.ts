import type { MessageKey } from '../ui/text/i18n.ts';

/** The screens of the manager, in the order of its navigation. */
export const MANAGER_SCREENS = {
  keys: 'navKeys',
  contacts: 'navContacts',
  sites: 'navSites',
  activity: 'activityTitle',
  files: 'filesTitle',
  backup: 'backupTitle',
  security: 'securityTitle',
  'self-test': 'selfTestTitle',
  settings: 'settingsTitle',
  about: 'aboutTitle',
} as const satisfies Record<string, MessageKey>;

export type ManagerScreen = keyof typeof MANAGER_SCREENS;

export const SCREEN_NAMES = Object.keys(MANAGER_SCREENS) as ManagerScreen[];

/**
 * The screen that an address names: manager.html#security, or #activity?site=… where it says more.
 * The first, where it names none.
 */
export function screenOf(hash: string): ManagerScreen {
  const [name] = hash.replace(/^#/, '').split('?');
  return SCREEN_NAMES.find((screen) => screen === name) ?? 'keys';
}
