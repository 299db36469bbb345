import type { ComponentChildren } from 'preact';
import { Announcer } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';
import { useQuery, type Query } from '../../ui/hooks/use-query.ts';
import { FirstRunView } from './first-run-view.tsx';
import { Header } from './header.tsx';
import { LostView } from './lost-view.tsx';
import { OneCopy } from './one-copy-warning.tsx';
import { useEffect } from 'preact/hooks';
import { UnlockForm } from '../../ui/components/forms/unlock-form.tsx';

interface VaultGateProps {
  /** What stands behind the gate, shown while the vault is open. */
  readonly children: (state: UiState, reload: () => Promise<void>) => ComponentChildren;
  /** Why the user is here, above the form that unlocks the vault. */
  readonly lead?: ComponentChildren;
  /** Takes a backup while the vault is lost; absent where that needs another page. */
  readonly restore?: ((reload: () => Promise<void>) => ComponentChildren) | undefined;
}

/** Which face to show is the vault's state, nothing else: popup and manager open behind the same gate. */
export function VaultGate({ children, lead, restore }: VaultGateProps) {
  const state = useQuery('ui.state', {});
  useVaultWatch(state);
  return (
    <Announcer>
      <Header state={state.data} onChange={state.reload} />
      {state.data && <OneCopy state={state.data} />}
      <Face query={state} lead={lead} restore={restore}>
        {children}
      </Face>
    </Announcer>
  );
}

interface FaceProps extends VaultGateProps {
  readonly query: Query<UiState>;
}

function Face({ query, children, lead, restore }: FaceProps) {
  const { data, error, reload } = query;
  if (!data) return error === undefined ? <Loading /> : <Broken error={error} onRetry={reload} />;
  switch (data.vault) {
    case 'absent':
      return <FirstRunView onCreated={reload} />;
    case 'lost':
      return <LostView onRetry={reload} restore={restore?.(reload)} />;
    case 'locked':
      return <UnlockView lead={lead} onUnlocked={reload} />;
    case 'unlocked':
      return <>{children(data, reload)}</>;
  }
}

interface BrokenProps {
  readonly error: unknown;
  readonly onRetry: () => Promise<void>;
}

function Broken({ error, onRetry }: BrokenProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('brokenTitle')}>
        <ErrorBanner error={error} />
        <Button onClick={() => void onRetry()}>{text.t('tryAgain')}</Button>
      </View>
    </main>
  );
}

const CHECK_MS = 30_000;
/** What looks lost may be a store that did not answer yet: that heals while somebody watches. */
const LOST_CHECK_MS = 2_000;

/** Asks again when the vault is due to lock itself, now and then in between, and while it is lost. */
export function useVaultWatch({ data, reload }: Query<UiState>): void {
  useEffect(() => {
    const waitMs = data && nextLookMs(data);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void reload(), waitMs);
    return () => clearTimeout(timer);
  }, [data, reload]);
}

function nextLookMs({ vault, lockAt }: UiState): number | undefined {
  if (vault === 'lost') return LOST_CHECK_MS;
  if (vault !== 'unlocked' || lockAt === null) return undefined;
  return Math.min(Math.max(lockAt - Date.now() + 250, 1000), CHECK_MS);
}

interface UnlockViewProps {
  readonly lead?: ComponentChildren;
  readonly onUnlocked: () => Promise<void>;
}

export function UnlockView({ lead, onUnlocked }: UnlockViewProps) {
  const text = useText();
  return (
    <main>
      <View title={text.t('unlockTitle')} focusHeading={false}>
        {lead}
        <p class="lead">{text.t('unlockLead')}</p>
        <UnlockForm onUnlocked={onUnlocked} />
      </View>
    </main>
  );
}
