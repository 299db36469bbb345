import { useEffect } from 'preact/hooks';
import type { SurfaceState } from '../../ui/environment/surface.ts';
import type { Query } from '../../ui/hooks/use-query.ts';

const CHECK_MS = 30_000;
/** What looks lost may be a store that did not answer yet: that heals while somebody watches. */
const LOST_CHECK_MS = 2_000;

/** Asks again when the vault is due to lock itself, now and then in between, and while it is lost. */
export function useVaultWatch({ data, reload }: Query<SurfaceState>): void {
  useEffect(() => {
    const waitMs = data && nextLookMs(data);
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void reload(), waitMs);
    return () => clearTimeout(timer);
  }, [data, reload]);
}

function nextLookMs({ vault, lockAt }: SurfaceState): number | undefined {
  if (vault === 'lost') return LOST_CHECK_MS;
  if (vault !== 'unlocked' || lockAt === null) return undefined;
  return Math.min(Math.max(lockAt - Date.now() + 250, 1000), CHECK_MS);
}
