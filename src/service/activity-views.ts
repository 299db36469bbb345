import type { KeyDescription } from '../keys/key-description.ts';
import type { ActivityFilter, SurfaceActivity, SurfaceUsage } from '../rpc/surface-activity.ts';
import type { ActivityEntry } from './activity-entry.ts';

/* What the extension's own pages show of the audit log, as pure functions over its entries. */

/** Newest first. */
export function filtered(
  entries: readonly ActivityEntry[],
  filter: ActivityFilter,
): ActivityEntry[] {
  const { by, origin, ref, operation, outcome, from, until } = filter;
  const wanted = entries.filter(
    (entry) =>
      (by === undefined || (by === 'user') === (entry.origin === null)) &&
      (origin === undefined || entry.origin === origin) &&
      (ref === undefined || entry.ref === ref) &&
      (operation === undefined || entry.operation === operation) &&
      (outcome === undefined || (outcome === 'ok') === (entry.result === 'ok')) &&
      (from === undefined || entry.until >= from) &&
      (until === undefined || entry.from <= until),
  );
  return wanted.sort((a, b) => b.until - a.until);
}

/** With the key's name of today; one that is gone has no label. */
export function shownActivity(
  { ref, ...entry }: ActivityEntry,
  keys: readonly KeyDescription[],
): SurfaceActivity {
  const key = keys.find((each) => each.ref === ref);
  const shown = ref === null ? null : { ref, kind: key?.kind ?? '', label: key?.label ?? '' };
  return { ...entry, key: shown };
}

/** Uses of each site, the busiest first. What the user did is no site's. */
export function usageOf(entries: readonly ActivityEntry[], since: number): SurfaceUsage[] {
  const bySite = new Map<string, SurfaceUsage>();
  for (const { origin, until, result, uses, bytes, ref } of entries) {
    if (origin === null || ref === null || until < since) continue;
    const known = bySite.get(origin) ?? { origin, uses: 0, refused: 0, bytes: 0 };
    const sum =
      result === 'ok'
        ? { ...known, uses: known.uses + uses, bytes: known.bytes + bytes }
        : { ...known, refused: known.refused + uses };
    bySite.set(origin, sum);
  }
  return [...bySite.values()].sort((a, b) => b.uses + b.refused - (a.uses + a.refused));
}
