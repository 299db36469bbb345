import type { MessageKey } from '../ui/text/i18n.ts';

/** The screens of an unlocked popup; the first four are its tabs. */
export const SCREENS = {
  site: { title: 'navSite', parent: null },
  sites: { title: 'navSites', parent: null },
  keys: { title: 'navKeys', parent: null },
  more: { title: 'navMore', parent: null },
  entropy: { title: 'entropyTitle', parent: 'more' },
  'self-test': { title: 'selfTestTitle', parent: 'more' },
  settings: { title: 'settingsTitle', parent: 'more' },
  about: { title: 'aboutTitle', parent: 'more' },
} as const satisfies Record<string, { title: MessageKey; parent: string | null }>;

export type Screen = keyof typeof SCREENS;

export const TABS = ['site', 'sites', 'keys', 'more'] as const satisfies readonly Screen[];

/** The tab that a screen belongs to. */
export const tabOf = (screen: Screen): Screen => SCREENS[screen].parent ?? screen;

export const isScreen = (value: unknown): value is Screen =>
  typeof value === 'string' && Object.hasOwn(SCREENS, value);
