import { useEffect } from 'preact/hooks';
import type { SurfaceState } from '../ui/surface.ts';
import type { Query } from '../ui/use-query.ts';

/** Asks again when the vault is due to lock itself, and now and then in between. */
export function useLockWatch({ data, reload }: Query<SurfaceState>): void {
  const lockAt = data?.vault === 'unlocked' ? data.lockAt : null;
  useEffect(() => {
    if (lockAt === null) return undefined;
    const CHECK_MS = 30_000;
    const untilLock = Math.max(lockAt - Date.now() + 250, 1000);
    const timer = setTimeout(() => void reload(), Math.min(untilLock, CHECK_MS));
    return () => clearTimeout(timer);
  }, [lockAt, data, reload]);
}
