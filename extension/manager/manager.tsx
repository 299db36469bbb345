import { VaultGate } from '../views/unlock/unlock.tsx';
import type { UiState } from '../ui/environment/ui-client.ts';
import { ManagerNavigation } from './navigation.tsx';
import { ManagerScreenView } from './screen-view.tsx';
import { RestoreLost } from './backup/restore-lost.tsx';
import { useScreen } from './screens.ts';

/** The manager: the whole vault in a tab. */
export function ManagerApp() {
  return (
    <VaultGate restore={(reload) => <RestoreLost onRestored={reload} />}>
      {(state, reload) => <Open state={state} onChange={reload} />}
    </VaultGate>
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
      <ManagerNavigation current={screen} />
      <main>
        <ManagerScreenView key={screen} screen={screen} state={state} onChange={onChange} />
      </main>
    </div>
  );
}
