import type { MessageKey } from '../ui/text/i18n.ts';
import { useEffect, useState } from 'preact/hooks';
import { WELCOME } from '../platform/windows/welcome.ts';

/** The screens and the messages with their names, in the order of the navigation. */
export const SCREENS = {
  home: 'homeTitle',
  write: 'writeTitle',
  files: 'filesTitle',
  contacts: 'navContacts',
  sites: 'navSites',
  activity: 'activityTitle',
  keys: 'navKeys',
  backup: 'backupTitle',
  friends: 'friendsTitle',
  devices: 'devicesTitle',
  security: 'securityTitle',
  'self-test': 'selfTestTitle',
  settings: 'settingsTitle',
  guide: 'guideTitle',
  about: 'aboutTitle',
} as const satisfies Record<string, MessageKey>;

/** The groups of the navigation: the first screen and the message with the name of each. */
export const GROUPS = {
  home: 'navEveryday',
  keys: 'navSafety',
  'self-test': 'navMore',
} as const satisfies Partial<Record<Screen, MessageKey>>;

/** The name of a screen, as it stands in the address. */
export type Screen = keyof typeof SCREENS;

/** The names in order. */
export const SCREEN_NAMES = Object.keys(SCREENS) as Screen[];

/**
 * The screen of an address such as manager.html#security or manager.html#activity?site=…; 'home' if
 * it names no screen. The navigation does not show the first run.
 */
export function screenOf(hash: string): Screen | typeof WELCOME {
  const [name] = hash.replace(/^#/, '').split('?');
  if (name === WELCOME) return WELCOME;
  return SCREEN_NAMES.find((screen) => screen === name) ?? 'home';
}

/** The address of the files with a contact as the one to seal for. */
export const sealFor = (contact: string): string => `files?for=${encodeURIComponent(contact)}`;

/** The contact in such an address; undefined if it has none. */
export function sealedFor(hash: string): string | undefined {
  return new URLSearchParams(hash.split('?')[1]).get('for') ?? undefined;
}

/** The screen in the address, so that reloading, Back and links from the popup work. */
export function useScreen(): Screen | typeof WELCOME {
  const [screen, setScreen] = useState(() => screenOf(location.hash));
  useEffect(() => {
    const follow = () => setScreen(screenOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return screen;
}
