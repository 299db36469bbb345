import {
  CircleHelp,
  FileLock2,
  Gauge,
  HardDriveDownload,
  History,
  Info,
  KeyRound,
  ListChecks,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../ui/environment/environment.ts';
import { SCREENS, SCREEN_NAMES, type Screen } from './screens.ts';

const ICONS = {
  keys: KeyRound,
  contacts: Users,
  sites: ListChecks,
  activity: History,
  files: FileLock2,
  backup: HardDriveDownload,
  security: ShieldCheck,
  'self-test': Gauge,
  settings: Settings,
  guide: CircleHelp,
  about: Info,
};

/** Links to the screens; each changes the address, which `useScreen` follows. */
export function Navigation({ current }: { readonly current: Screen }) {
  const text = useText();
  const list = useRef<HTMLUListElement>(null);
  // In a narrow window the list is a strip, of which only a part can be seen.
  useEffect(() => {
    const showCurrent = () => {
      const link = list.current?.querySelector<HTMLElement>('[aria-current]');
      const strip = list.current;
      if (link && strip) strip.scrollLeft += midOf(link) - midOf(strip);
    };
    showCurrent();
    window.addEventListener('resize', showCurrent);
    return () => window.removeEventListener('resize', showCurrent);
  }, [current]);
  return (
    <nav class="side" aria-label={text.t('navLabel')}>
      <ul ref={list}>
        {SCREEN_NAMES.map((screen) => {
          const Icon = ICONS[screen];
          return (
            <li key={screen}>
              <a
                id={`nav-${screen}`}
                class="side-link"
                href={`manager.html#${screen}`}
                aria-current={current === screen ? 'page' : undefined}
              >
                <Icon size={18} aria-hidden="true" />
                <span>{text.t(SCREENS[screen])}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function midOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
