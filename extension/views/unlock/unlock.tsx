import type { ComponentChildren } from 'preact';
import { Announcer } from '../../ui/components/announcer.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';
import { useQuery, type Query } from '../../ui/hooks/use-query.ts';
import { BrokenView, useIsLate } from './broken-view.tsx';
import { Header } from './header.tsx';
import { LostView } from './lost-view.tsx';
import { NoVaultView } from './no-vault-view.tsx';
import { OneCopyWarning, UnsavedWarning } from './one-copy-warning.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TypedCode } from '../../ui/hooks/use-unlock.ts';
import { UnlockForm } from '../../ui/components/forms/unlock-form.tsx';

interface RequireUnlockedProps {
  /** What is shown while the vault is unlocked. */
  readonly children: (
    state: UiState,
    reload: () => Promise<void>,
    /** Whether the vault was created in this page. */
    isNew: boolean,
  ) => ComponentChildren;
  /** Shown above the form that unlocks the vault: why it has to be unlocked. */
  readonly lead?: ComponentChildren;
  /** Makes the first vault. Absent where that takes another page. */
  readonly noVault?: ((onCreated: () => Promise<void>) => ComponentChildren) | undefined;
  /** Restores a backup while the vault is lost, or the background fails. Absent where that takes another page. */
  readonly restore?: ((reload: () => Promise<void>) => ComponentChildren) | undefined;
}

/**
 * The frame of popup, manager and fields window: header, warnings, and a view for the vault's state
 * (first run, lost, locked). Shows `children` only while the vault is unlocked.
 */
export function RequireUnlocked({ children, ...rest }: RequireUnlockedProps) {
  const state = useQuery('ui.state', {});
  const typedCode = useRef<string>();
  const isLocked = state.data?.vault === 'locked';
  useEffect(() => {
    if (isLocked) typedCode.current = undefined;
  }, [isLocked]);
  useVaultRefresh(state);
  return (
    <Announcer>
      <Header state={state.data} onChange={state.reload} />
      {state.data && <OneCopyWarning state={state.data} />}
      {state.data && <UnsavedWarning state={state.data} />}
      <TypedCode.Provider value={typedCode}>
        <VaultState query={state} {...rest}>
          {children}
        </VaultState>
      </TypedCode.Provider>
    </Announcer>
  );
}

interface VaultStateProps extends RequireUnlockedProps {
  readonly query: Query<UiState>;
}

function VaultState({ query, children, lead, noVault, restore }: VaultStateProps) {
  const { data, error, reload } = query;
  const isLate = useIsLate(!data && error === undefined);
  const [isNew, setNew] = useState(false);
  const created = () => {
    setNew(true);
    return reload();
  };
  if (!data || (error !== undefined && isLockDue(data))) {
    if (error === undefined && !isLate) return <Loading />;
    return <BrokenView error={error} onRetry={reload} restore={restore?.(reload)} />;
  }
  switch (data.vault) {
    case 'absent':
      return noVault?.(created) ?? <NoVaultView />;
    case 'lost':
      return <LostView onRetry={reload} restore={restore?.(reload)} />;
    case 'locked':
      return <UnlockView lead={lead} onUnlocked={reload} />;
    case 'unlocked':
      return <>{children(data, reload, isNew)}</>;
  }
}

/** Where the state cannot be read, nothing of an open vault stays in sight past the time at which it was to lock. */
const isLockDue = ({ lockAt }: UiState): boolean => lockAt !== null && lockAt <= Date.now();

const CHECK_MS = 30_000;
/** A vault may look lost while a store has not answered yet, so a lost vault is checked often. */
const LOST_CHECK_MS = 2_000;

/**
 * Reloads the state when the vault is due to lock itself, every 30 s before that, and while it is
 * lost; also after a reading that has failed.
 */
export function useVaultRefresh({ data, error, reload }: Query<UiState>): void {
  useEffect(() => {
    const waitMs = data && nextRefreshMs(data);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void reload(), waitMs);
    return () => clearTimeout(timer);
  }, [data, error, reload]);
}

function nextRefreshMs({ vault, lockAt }: UiState): number | undefined {
  if (vault === 'lost') return LOST_CHECK_MS;
  if (vault !== 'unlocked' || lockAt === null) return undefined;
  return Math.min(Math.max(lockAt - Date.now() + 250, 1000), CHECK_MS);
}

interface UnlockViewProps {
  readonly lead?: ComponentChildren;
  readonly onUnlocked: () => Promise<void>;
}

/** The unlock screen, with an optional reason (`lead`) above it. */
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
