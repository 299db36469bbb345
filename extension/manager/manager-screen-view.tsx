import { AboutView } from '../popup/about-view.tsx';
import { SelfTestView } from '../popup/self-test-view.tsx';
import { SettingsView } from '../popup/settings-view.tsx';
import { SitesView } from '../popup/sites-view.tsx';
import type { SurfaceState } from '../ui/surface.ts';
import { ActivityView } from './activity/activity-view.tsx';
import { BackupView } from './backup-view.tsx';
import { ContactsView } from './contacts-view.tsx';
import { FilesView } from './files/files-view.tsx';
import { ManagerKeysView } from './manager-keys-view.tsx';
import type { ManagerScreen } from './manager-screens.ts';
import { SecurityView } from './security-view.tsx';

interface ManagerScreenViewProps {
  readonly screen: ManagerScreen;
  readonly state: SurfaceState;
  readonly onChange: () => Promise<void>;
}

export function ManagerScreenView({ screen, state, onChange }: ManagerScreenViewProps) {
  switch (screen) {
    case 'keys':
      return <ManagerKeysView />;
    case 'contacts':
      return <ContactsView />;
    case 'sites':
      return <SitesView />;
    case 'activity':
      return <ActivityView />;
    case 'files':
      return <FilesView />;
    case 'backup':
      return <BackupView />;
    case 'security':
      return <SecurityView />;
    case 'self-test':
      return <SelfTestView state={state} />;
    case 'settings':
      return <SettingsView state={state} onChange={onChange} />;
    case 'about':
      return <AboutView state={state} />;
  }
}
