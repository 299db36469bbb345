import type { MessageKey } from '../ui/text/i18n.ts';
import { useEffect, useState } from 'preact/hooks';

/** The screens of the manager, in the order of its navigation. */
export const SCREENS = {
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

export type Screen = keyof typeof SCREENS;

export const SCREEN_NAMES = Object.keys(SCREENS) as Screen[];

/**
 * The screen that an address names: manager.html#security, or #activity?site=… where it says more.
 * The first, where it names none.
 */
export function screenOf(hash: string): Screen {
  const [name] = hash.replace(/^#/, '').split('?');
  return SCREEN_NAMES.find((screen) => screen === name) ?? 'keys';
}

/** The screen in the address, so that reloading, Back and links from the popup work as in any page. */
export function useScreen(): Screen {
  const [screen, setScreen] = useState(() => screenOf(location.hash));
  useEffect(() => {
    const follow = () => setScreen(screenOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return screen;
}
