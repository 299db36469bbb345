import { useText } from '../ui/environment/environment.ts';
import { RequireUnlocked } from '../views/unlock/unlock.tsx';
import type { UiState } from '../ui/environment/ui-client.ts';
import { Navigation } from './navigation.tsx';
import { useDroppedFile, type DroppedFile } from './files/use-dropped-file.ts';
import { ScreenView } from './screen-view.tsx';
import { RestoreLost } from './backup/restore-lost.tsx';
import { useScreen } from './screens.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';

/** The manager: everything about the vault, in a tab. */
export function ManagerApp() {
  const text = useText();
  const dropped = useDroppedFile(() => {
    location.hash = 'files';
  });
  return (
    <>
      <RequireUnlocked restore={(reload) => <RestoreLost onRestored={reload} />}>
        {(state, reload) => <Open state={state} onChange={reload} dropped={dropped} />}
      </RequireUnlocked>
      {dropped.isOver && <div class="drop-cover">{text.t('fileDrop')}</div>}
    </>
  );
}

interface OpenProps {
  readonly state: UiState;
  readonly onChange: () => Promise<void>;
  readonly dropped: DroppedFile;
}

function Open({ state, onChange, dropped }: OpenProps) {
  const screen = useScreen();
  const code = useCodeUsed();
  const choose = () => {
    location.hash = CHANGE_PASSPHRASE;
  };
  return (
    <div class="with-side">
      <Navigation current={screen} />
      <main>
        {code.isUsed && <CodeUsedReminder onChoose={choose} onLater={code.forget} />}
        <ScreenView
          key={screen}
          screen={screen}
          state={state}
          onChange={onChange}
          onPassphraseChanged={code.forget}
          dropped={dropped}
        />
      </main>
    </div>
  );
}
