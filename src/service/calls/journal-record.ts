import type { Json } from '../../keys/json.ts';
import type { VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { entryOf, withEntry, type Journal, type JournalEntry } from './journal.ts';

/* The vault record that holds the journal, read and written within the commit of what it notes. */

export const JOURNAL_ID = 'journal';

/** Where calls of the extension's own pages are noted: not the form of an origin. */
export const OWN_PAGES = 'own pages';

export function journalOf(record: VaultRecord | undefined): Journal {
  return (record?.value ?? {}) as unknown as Journal;
}

/** What this call did before, if it comes again. */
export async function notedIn(
  draft: VaultDraft,
  origin: string,
  call: string,
): Promise<JournalEntry | undefined> {
  return entryOf(journalOf(await draft.get(JOURNAL_ID)), origin, call);
}

/** What this call did before, if it comes again; else does it, and notes the result with it. */
export async function onceIn<T extends Json>(
  draft: VaultDraft,
  origin: string,
  { call, at }: Omit<JournalEntry, 'result'>,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = await notedIn(draft, origin, call);
  if (before) return before.result as T;
  const result = await work();
  await noteIn(draft, origin, { call, at, result });
  return result;
}

export async function noteIn(
  draft: VaultDraft,
  origin: string,
  ...entries: readonly JournalEntry[]
): Promise<void> {
  const before = journalOf(await draft.get(JOURNAL_ID));
  const after = entries.reduce((journal, entry) => withEntry(journal, origin, entry), before);
  draft.put({ id: JOURNAL_ID, type: JOURNAL_ID, value: after as unknown as Json });
}
