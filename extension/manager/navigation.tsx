import {
  CircleAlert,
  CircleHelp,
  FileLock2,
  Gauge,
  HardDriveDownload,
  History,
  Home,
  Info,
  KeyRound,
  LifeBuoy,
  ListChecks,
  MonitorSmartphone,
  PenLine,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-preact';
import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../ui/environment/environment.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { GROUPS, SCREENS, SCREEN_NAMES, type Screen } from './screens.ts';

const ICONS = {
  home: Home,
  write: PenLine,
  keys: KeyRound,
  contacts: Users,
  sites: ListChecks,
  activity: History,
  files: FileLock2,
  backup: HardDriveDownload,
  friends: LifeBuoy,
  devices: MonitorSmartphone,
  security: ShieldCheck,
  'self-test': Gauge,
  settings: Settings,
  guide: CircleHelp,
  about: Info,
};

/** The screens of each group, in order. */
const GROUPED = SCREEN_NAMES.reduce<{ name: MessageKey; screens: Screen[] }[]>((groups, screen) => {
  if (screen in GROUPS) groups.push({ name: GROUPS[screen as keyof typeof GROUPS], screens: [] });
  groups.at(-1)!.screens.push(screen);
  return groups;
}, []);

interface NavigationProps {
  readonly current: Screen;
  /** The screen where a recovery code is to be made. */
  readonly due: Screen | undefined;
}

/** Links to the screens; each changes the address, which `useScreen` follows. */
export function Navigation({ current, due }: NavigationProps) {
  const text = useText();
  const list = useRef<HTMLDivElement>(null);
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
      <div class="side-groups" ref={list}>
        {GROUPED.map(({ name, screens }) => (
          <ul key={name} aria-label={text.t(name)}>
            {screens.map((screen) => {
              const Icon = ICONS[screen];
              return (
                <li key={screen}>
                  <a
                    id={`nav-${screen}`}
                    class="side-link"
                    href={`manager.html#${screen}`}
                    aria-current={current === screen ? 'page' : undefined}
                  >
                    {/* In the icon's place: beside the words it would wrap them, and move the links below. */}
                    {screen === due ? (
                      <CircleAlert
                        size={18}
                        class="side-due"
                        role="img"
                        aria-label={text.t('recoveryReminder')}
                      />
                    ) : (
                      <Icon size={18} aria-hidden="true" />
                    )}
                    <span>{text.t(SCREENS[screen])}</span>
                  </a>
                </li>
              );
            })}
          </ul>
        ))}
      </div>
    </nav>
  );
}

function midOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
