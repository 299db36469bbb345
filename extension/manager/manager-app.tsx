import { FirstRunView } from '../popup/first-run-view.tsx';
import { Header } from '../popup/header.tsx';
import { LostView } from '../popup/lost-view.tsx';
import { UnlockView } from '../popup/unlock-view.tsx';
import { useLockWatch } from '../popup/use-lock-watch.ts';
import { Announcer } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment.ts';
import type { SurfaceState } from '../ui/surface.ts';
import { useQuery, type Query } from '../ui/use-query.ts';
import { ManagerNavigation } from './manager-navigation.tsx';
import { ManagerScreenView } from './manager-screen-view.tsx';
import { useScreen } from './use-screen.ts';

/** The manager: the whole vault in a tab, with the popup's faces for one that is not open. */
export function ManagerApp() {
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
  const screen = useScreen();
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
  if (data.vault === 'absent') return <FirstRunView onCreated={reload} />;
  if (data.vault === 'lost') return <LostView onRetry={reload} />;
  if (data.vault === 'locked') return <UnlockView onUnlocked={reload} />;
  return (
    <div class="with-side">
      <ManagerNavigation current={screen} />
      <main>
        <ManagerScreenView key={screen} screen={screen} state={data} onChange={reload} />
      </main>
    </div>
  );
}
