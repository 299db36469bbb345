import { FileLock2, Gauge, HardDriveDownload, History, Info, KeyRound } from 'lucide-preact';
import { ListChecks, Settings, ShieldCheck, Users } from 'lucide-preact';
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
  about: Info,
};

export function Navigation({ current }: { readonly current: Screen }) {
  const text = useText();
  return (
    <nav class="side" aria-label={text.t('navLabel')}>
      <ul>
        {SCREEN_NAMES.map((screen) => {
          const Icon = ICONS[screen];
          return (
            <li key={screen}>
              <a
                id={`nav-${screen}`}
                class="side-link"
                href={`#${screen}`}
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
