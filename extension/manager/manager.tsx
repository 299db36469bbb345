import { useEffect, useState } from 'preact/hooks';
import { useText } from '../ui/environment/environment.ts';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { RequireUnlocked } from '../views/unlock/unlock.tsx';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useFolderExchange } from './devices/device-folder.tsx';
import { Navigation } from './navigation.tsx';
import { FinishedFiles, FinishedFilesProvider } from './files/finished-files.ts';
import { useDroppedFile, type DroppedFile } from './files/use-dropped-file.ts';
import { ScreenView } from './screen-view.tsx';
import { RestoreLost } from './backup/restore-lost.tsx';
import { useScreen } from './screens.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import { WELCOME } from '../platform/windows/welcome.ts';
import { PassphraseDialogs } from './forms/ask-passphrase.tsx';
import { FromDevices } from './welcome/from-devices.tsx';
import { NewVault, Welcome, type Restored } from './welcome/welcome.tsx';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';

/** The manager: everything about the vault, in a tab; and the first run. */
export function ManagerApp() {
  const text = useText();
  const [restored, setRestored] = useState<Restored>();
  const dropped = useDroppedFile((kind) => {
    location.hash = kind === 'file' ? 'files' : 'contacts';
  });
  return (
    <>
      <RequireUnlocked
        noVault={(onCreated) => <NewVault onCreated={onCreated} onRestored={setRestored} />}
        restore={(reload) => (
          <>
            <RestoreLost
              title={text.t('lostRestoreTitle')}
              lead={text.t('lostRestoreLead')}
              onRestored={reload}
            />
            <FromDevices
              onArrived={({ isByFiles }) => {
                if (isByFiles) location.hash = 'devices'; // where this device's file is saved for the others
                return reload();
              }}
            />
          </>
        )}
      >
        {(state, reload, isNew) => (
          <PassphraseDialogs>
            <Open
              state={state}
              isNew={isNew}
              restored={restored}
              onChange={reload}
              dropped={dropped}
            />
          </PassphraseDialogs>
        )}
      </RequireUnlocked>
      {dropped.isOver && <div class="drop-cover">{text.t('fileDrop')}</div>}
    </>
  );
}

interface OpenProps {
  readonly state: UiState;
  /** Whether the vault was created in this page. */
  readonly isNew: boolean;
  /** What came back, where it was made of a backup or of other devices. */
  readonly restored: Restored | undefined;
  readonly onChange: () => Promise<void>;
  readonly dropped: DroppedFile;
}

/** The screens of an open vault: what they have on disk ends with it. */
function Open({ state, isNew, restored, onChange, dropped }: OpenProps) {
  const screen = useScreen();
  const code = useCodeUsed();
  const [files] = useState(() => new FinishedFiles());
  useEffect(() => () => files.end(), [files]);
  useFolderExchange(screen === 'devices');
  if (screen === WELCOME) return <Welcome isNew={isNew} restored={restored} />;
  const choose = () => {
    location.hash = CHANGE_PASSPHRASE;
  };
  return (
    <div class="with-side">
      <Navigation current={screen} due={state.lacksCode ? 'backup' : undefined} />
      <main>
        {code.isUsed === undefined ? (
          <Loading />
        ) : (
          <>
            {state.hasNewDevice && screen !== 'devices' && <NewDevice />}
            {code.isUsed && <CodeUsedReminder onChoose={choose} onLater={code.forget} />}
            <FinishedFilesProvider value={files}>
              <ScreenView
                key={screen}
                screen={screen}
                state={state}
                onChange={onChange}
                onPassphraseChanged={code.forget}
                dropped={dropped}
              />
            </FinishedFilesProvider>
          </>
        )}
      </main>
    </div>
  );
}

/** Says on each other screen that another device has added one; on the screen of devices it can be removed. */
function NewDevice() {
  const text = useText();
  const title = text.t('newDeviceReminder');
  return (
    <aside class="reminder" id="new-device" aria-label={title}>
      <Banner tone="warning" title={title}>
        <div class="actions">
          <Button id="new-device-look" onClick={() => (location.hash = 'devices')}>
            {text.t('newDeviceLook')}
          </Button>
        </div>
      </Banner>
    </aside>
  );
}
