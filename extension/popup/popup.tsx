import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequireUnlocked } from '../views/unlock/unlock.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { Navigation, isScreen, type Screen } from './navigation.tsx';
import { ScreenView } from './screen-view.tsx';
import { useReminder } from './reminder.tsx';

const SCREEN_DRAFT = 'popup-screen';

/** The popup: the current site, all sites, the keys, and further screens. */
export function PopupApp() {
  return (
    <RequireUnlocked>{(state, reload) => <Open state={state} onChange={reload} />}</RequireUnlocked>
  );
}

interface OpenProps {
  readonly state: UiState;
  readonly onChange: () => Promise<void>;
}

function Open({ state, onChange }: OpenProps) {
  const [screen, show] = useStoredScreen();
  const showSites = useCallback(() => show('sites'), [show]);
  const reminder = useReminder(state, showSites);
  const place = useRef<HTMLDivElement>(null);
  const isReady = screen !== null && reminder !== undefined;
  const reminds = isReady && reminder !== null;
  // After the view's heading has taken the focus, from which Tab would pass the reminder by.
  useLayoutEffect(() => {
    if (reminds) place.current?.focus({ preventScroll: true });
  }, [reminds]);
  if (!isReady) return <Loading />;
  return (
    <>
      <Navigation current={screen} onShow={show} />
      {reminds && (
        <div ref={place} tabIndex={-1} id="reminder">
          {reminder}
        </div>
      )}
      <main>
        <ScreenView screen={screen} state={state} onShow={show} onChange={onChange} />
      </main>
    </>
  );
}

/**
 * The current screen; null until the draft was read. A reopened popup shows the screen where it was
 * closed.
 */
function useStoredScreen(): [Screen | null, (next: Screen) => void] {
  const { drafts } = useEnvironment();
  const [screen, setScreen] = useState<Screen | null>(null);
  const chosen = useRef(false);
  useEffect(() => {
    void drafts.get(SCREEN_DRAFT).then((draft) => {
      if (!chosen.current) setScreen(isScreen(draft) ? draft : 'site');
    });
  }, [drafts]);
  const show = useCallback(
    (next: Screen) => {
      chosen.current = true;
      setScreen(next);
      void drafts.set(SCREEN_DRAFT, next);
    },
    [drafts],
  );
  return [screen, show];
}
