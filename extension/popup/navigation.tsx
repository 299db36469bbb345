import { AppWindow, Ellipsis, KeyRound, ListChecks } from 'lucide-preact';
import { useText } from '../ui/environment/environment.ts';
import type { MessageKey } from '../ui/text/i18n.ts';

const ICONS = { site: AppWindow, sites: ListChecks, keys: KeyRound, more: Ellipsis };

interface NavigationProps {
  readonly current: Screen;
  readonly onShow: (screen: Screen) => void;
}

/** The popup's tabs. */
export function Navigation({ current, onShow }: NavigationProps) {
  const text = useText();
  return (
    <nav class="tabs" aria-label={text.t('navLabel')}>
      {TABS.map((tab) => {
        const Icon = ICONS[tab];
        return (
          <button
            key={tab}
            id={`nav-${tab}`}
            type="button"
            class="tab"
            aria-current={tabOf(current) === tab ? 'page' : undefined}
            onClick={() => onShow(tab)}
          >
            <Icon size={18} aria-hidden="true" />
            <span>{text.t(SCREENS[tab].title)}</span>
          </button>
        );
      })}
    </nav>
  );
}

/** The screens of an unlocked popup. `parent` is the tab of a screen that has none of its own. */
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

/** The name of a screen of the popup. */
export type Screen = keyof typeof SCREENS;

/** The screens that have a tab. */
export const TABS = ['site', 'sites', 'keys', 'more'] as const satisfies readonly Screen[];

/** The tab that a screen belongs to. */
export const tabOf = (screen: Screen): Screen => SCREENS[screen].parent ?? screen;

/** Whether a stored value is the name of a screen. */
export const isScreen = (value: unknown): value is Screen =>
  typeof value === 'string' && Object.hasOwn(SCREENS, value);
