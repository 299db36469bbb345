import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Announcer } from '../ui/components/announcer.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { View } from '../ui/components/view.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useEnvironment, useText } from '../ui/environment.ts';
import type { SurfaceState } from '../ui/surface.ts';
import type { Query } from '../ui/use-query.ts';
import { useQuery } from '../ui/use-query.ts';
import { FirstRunView } from './first-run-view.tsx';
import { Header } from './header.tsx';
import { LostView } from './lost-view.tsx';
import { Navigation } from './navigation.tsx';
import { ScreenView } from './screen-view.tsx';
import { isScreen, type Screen } from './screens.ts';
import { RecoveryReminder } from './recovery-reminder.tsx';
import { UnlockView } from './unlock-view.tsx';
import { useLockWatch } from './use-lock-watch.ts';

const SCREEN_DRAFT = 'popup-screen';

/** The popup: which of its faces to show is the vault's state, nothing else. */
export function App() {
  const state = useQuery('ui.state', {});
  useLockWatch(state);
  return (
    <Announcer>
      <Header state={state.data} onChange={state.reload} />
      <Face query={state} />
    </Announcer>
  );
}

function Face({ query }: { readonly query: Query<SurfaceState> }) {
  const text = useText();
  const { data, error, reload } = query;
  if (!data && error === undefined) return <Loading />;
  if (!data) {
    return (
      <main>
        <View title={text.t('brokenTitle')}>
          <ErrorBanner error={error} />
          <Button onClick={() => void reload()}>{text.t('tryAgain')}</Button>
        </View>
      </main>
    );
  }
  switch (data.vault) {
    case 'absent':
      return <FirstRunView onCreated={reload} />;
    case 'lost':
      return <LostView onRetry={reload} />;
    case 'locked':
      return <UnlockView onUnlocked={reload} />;
    case 'unlocked':
      return <Unlocked state={data} onChange={reload} />;
  }
}

interface UnlockedProps {
  readonly state: SurfaceState;
  readonly onChange: () => Promise<void>;
}

function Unlocked({ state, onChange }: UnlockedProps) {
  const { drafts } = useEnvironment();
  const [screen, setScreen] = useState<Screen | null>(null);
  const chosen = useRef(false);
  useEffect(() => {
    // A reopened popup is where it was closed.
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
  if (!screen) return <Loading />;
  return (
    <>
      <Navigation current={screen} onShow={show} />
      <RecoveryReminder />
      <main>
        <ScreenView screen={screen} state={state} onShow={show} onChange={onChange} />
      </main>
    </>
  );
}
