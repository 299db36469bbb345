import type { KeyDescription } from '../../keys/ring/key-description.ts';
import type { ActivityFilter, UiActivity } from '../../rpc/methods/ui-activity.ts';
import type { ActivityEntry } from './activity-entry.ts';

/* What the extension's own pages show of the audit log, as pure functions over its entries. */

/** What entries name by an id, with the names of today. */
export interface Named {
  readonly keys: readonly KeyDescription[];
  readonly contacts: readonly { readonly id: string; readonly name: string }[];
}

/** Newest first. */
export function filtered(
  entries: readonly ActivityEntry[],
  filter: ActivityFilter,
  named: Named,
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
      (text === undefined || holdsText(entry, text, named)),
  );
  return wanted.sort((a, b) => b.until - a.until);
}

/** In what a person reads of an entry. What operations are called there, the surface knows. */
function holdsText(
  { origin, of, ref, contact, operation }: ActivityEntry,
  { words, operations }: NonNullable<ActivityFilter['text']>,
  { keys, contacts }: Named,
): boolean {
  const label = keys.find((key) => key.ref === ref)?.label ?? '';
  const name = contacts.find(({ id }) => id === contact)?.name ?? '';
  const wanted = words.toLowerCase();
  const isHeld = [origin ?? of ?? '', label, name].some((each) =>
    each.toLowerCase().includes(wanted),
  );
  return isHeld || operations.includes(operation);
}

/** With today's names of the key and the contact; a key that is gone has no label, a contact no name. */
export function shownActivity(
  { ref, contact, ...entry }: ActivityEntry,
  { keys, contacts }: Named,
): UiActivity {
  const key = keys.find((each) => each.ref === ref);
  const shown = ref === null ? null : { ref, kind: key?.kind ?? '', label: key?.label ?? '' };
  const name = contacts.find(({ id }) => id === contact)?.name;
  return { ...entry, key: shown, ...(name !== undefined && { contact: name }) };
}
