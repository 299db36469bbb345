import type { KeyDescription } from '../../keys/ring/key-description.ts';
import type { ActivityFilter, UiActivity } from '../../rpc/methods/ui-activity.ts';
import type { ActivityEntry } from './activity-entry.ts';

/* What the extension's own pages show of the audit log, as pure functions over its entries. */

/** Newest first. */
export function filtered(
  entries: readonly ActivityEntry[],
  filter: ActivityFilter,
  keys: readonly KeyDescription[],
): ActivityEntry[] {
  const { by, origin, ref, operations, outcome, from, until, text } = filter;
  const wanted = entries.filter(
    (entry) =>
      (by === undefined || (by === 'user') === (entry.origin === null)) &&
      (origin === undefined || entry.origin === origin || entry.of === origin) &&
      (ref === undefined || entry.ref === ref) &&
      (operations === undefined || operations.includes(entry.operation)) &&
      (outcome === undefined || (outcome === 'ok') === (entry.result === 'ok')) &&
      (from === undefined || entry.until >= from) &&
      (until === undefined || entry.from <= until) &&
      (text === undefined || holdsText(entry, text, keys)),
  );
  return wanted.sort((a, b) => b.until - a.until);
}

/** In what a person reads of an entry. What operations are called there, the surface knows. */
function holdsText(
  { origin, of, ref, operation }: ActivityEntry,
  { words, operations }: NonNullable<ActivityFilter['text']>,
  keys: readonly KeyDescription[],
): boolean {
  const label = keys.find((key) => key.ref === ref)?.label ?? '';
  const wanted = words.toLowerCase();
  const isHeld = [origin ?? of ?? '', label].some((each) => each.toLowerCase().includes(wanted));
  return isHeld || operations.includes(operation);
}

/** With the key's name of today; one that is gone has no label. */
export function shownActivity(
  { ref, ...entry }: ActivityEntry,
  keys: readonly KeyDescription[],
): UiActivity {
  const key = keys.find((each) => each.ref === ref);
  const shown = ref === null ? null : { ref, kind: key?.kind ?? '', label: key?.label ?? '' };
  return { ...entry, key: shown };
}
