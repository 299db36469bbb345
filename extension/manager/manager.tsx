import { RequireUnlocked } from '../views/unlock/unlock.tsx';
import type { UiState } from '../ui/environment/ui-client.ts';
import { Navigation } from './navigation.tsx';
import { ScreenView } from './screen-view.tsx';
import { RestoreLost } from './backup/restore-lost.tsx';
import { useScreen } from './screens.ts';

/** The manager: the whole vault in a tab. */
export function ManagerApp() {
  return (
    <RequireUnlocked restore={(reload) => <RestoreLost onRestored={reload} />}>
      {(state, reload) => <Open state={state} onChange={reload} />}
    </RequireUnlocked>
  );
}

interface OpenProps {
  readonly state: UiState;
  readonly onChange: () => Promise<void>;
}

function Open({ state, onChange }: OpenProps) {
  const screen = useScreen();
  return (
    <div class="with-side">
      <Navigation current={screen} />
      <main>
        <ScreenView key={screen} screen={screen} state={state} onChange={onChange} />
      </main>
    </div>
  );
}
