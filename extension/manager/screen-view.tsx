import { AboutView } from '../views/about-view.tsx';
import { SelfTestView } from '../views/self-test/self-test-view.tsx';
import { SettingsView } from '../views/settings-view.tsx';
import { SitesView } from '../views/sites/sites-view.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { ActivityView } from './activity/activity-view.tsx';
import { BackupView } from './backup/backup-view.tsx';
import { ContactsView } from './contacts/contacts-view.tsx';
import { DevicesView } from './devices/devices-view.tsx';
import { FilesView } from './files/files-view.tsx';
import type { DroppedFile } from './files/use-dropped-file.ts';
import { FriendsView } from './friends/friends-view.tsx';
import { GroupsPart } from './groups/groups-part.tsx';
import { GuideView } from './guide/guide-view.tsx';
import { HomeView } from './home/home-view.tsx';
import { KeysView } from './keys/keys-view.tsx';
import { SCREENS, type Screen } from './screens.ts';
import { SecurityView } from './security/security-view.tsx';
import { WriteView } from './write/write-view.tsx';

interface ScreenViewProps {
  readonly screen: Screen;
  readonly state: UiState;
  readonly onChange: () => Promise<void>;
  readonly onPassphraseChanged: () => void;
  readonly dropped: DroppedFile;
}

/** Renders a screen by its name. */
export function ScreenView(props: ScreenViewProps) {
  const { screen, state, onChange, onPassphraseChanged, dropped } = props;
  const { text } = useEnvironment();
  switch (screen) {
    case 'home':
      return <HomeView />;
    case 'write':
      return <WriteView />;
    case 'keys':
      return <KeysView />;
    case 'contacts':
      return (
        <ContactsView dropped={dropped.fileOf('card')} onTaken={dropped.take}>
          {(contacts, own, onKeyMade) => (
            <GroupsPart
              contacts={contacts}
              own={own}
              dropped={dropped.fileOf('group')}
              onDropTaken={dropped.take}
              onKeyMade={onKeyMade}
            />
          )}
        </ContactsView>
      );
    case 'sites':
      return <SitesView leadOn={{ label: text.t(SCREENS.guide), go: () => go('guide') }} />;
    case 'activity':
      return <ActivityView />;
    case 'files':
      return <FilesView dropped={dropped.fileOf('file')} onTaken={dropped.take} />;
    case 'backup':
      return <BackupView />;
    case 'friends':
      return <FriendsView />;
    case 'devices':
      return <DevicesView onChange={onChange} />;
    case 'security':
      return <SecurityView onPassphraseChanged={onPassphraseChanged} />;
    case 'self-test':
      return <SelfTestView state={state} />;
    case 'settings':
      return <SettingsView state={state} onChange={onChange} />;
    case 'guide':
      return <GuideView />;
    case 'about':
      return <AboutView state={state} />;
  }
}

/** By the address, which `useScreen` follows. */
function go(screen: Screen): void {
  location.hash = screen;
}
