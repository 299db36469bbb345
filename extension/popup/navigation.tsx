import { AppWindow, Ellipsis, KeyRound, ListChecks } from 'lucide-preact';
import { useText } from '../ui/environment/environment.ts';
import { SCREENS, TABS, tabOf, type Screen } from './screens.ts';

const ICONS = { site: AppWindow, sites: ListChecks, keys: KeyRound, more: Ellipsis };

interface NavigationProps {
  readonly current: Screen;
  readonly onShow: (screen: Screen) => void;
}

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
