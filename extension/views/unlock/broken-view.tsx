import type { ComponentChildren } from 'preact';
import { Lock, RotateCw } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { View } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { RestoreElsewhere } from './lost-view.tsx';

/** How long the background has for an answer before this view takes the place of the spinner. */
const PATIENCE_MS = 5_000;
/** How long it has for locking, before the key is removed without it. */
const LOCK_MS = 3_000;

interface BrokenViewProps {
  /** Undefined where there is no answer at all. */
  readonly error: unknown;
  readonly onRetry: () => Promise<void>;
  /** The form that restores a backup; by default a button that opens it in a tab. */
  readonly restore?: ComponentChildren;
}

/**
 * The background does not answer, or answers with an error. Locking and a backup are in reach all
 * the same: the key is in a store that this page can empty by itself.
 */
export function BrokenView({ error, onRetry, restore = <RestoreElsewhere /> }: BrokenViewProps) {
  const { ui, text, forgetSession } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [isLocked, setLocked] = useState(false);
  const lock = async () => {
    await Promise.race([ui.call('ui.lock', {}).catch(() => undefined), after(LOCK_MS)]);
    await forgetSession();
    setLocked(true);
    announce(text.t('lockedNow'));
    void onRetry();
  };
  return (
    <main>
      <View title={text.t('brokenTitle')}>
        <ErrorBanner error={action.error ?? error} />
        <p>{text.t('brokenHelp')}</p>
        <Button
          id="broken-retry"
          variant="primary"
          class="wide"
          icon={<RotateCw size={18} aria-hidden="true" />}
          onClick={() => void onRetry()}
        >
          {text.t('tryAgain')}
        </Button>
        <Button
          id="broken-lock"
          class="wide"
          busy={action.busy}
          icon={<Lock size={18} aria-hidden="true" />}
          onClick={() => action.run(lock)}
        >
          {text.t('lockNow')}
        </Button>
        {isLocked && <p id="broken-locked">{text.t('lockedNow')}</p>}
        {restore}
      </View>
    </main>
  );
}

/** Whether something has been awaited for too long. */
export function useIsLate(isAwaited: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  return isLate;
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
