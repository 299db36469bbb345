import type { Json } from '../../keys/json.ts';
import type { Call } from '../../rpc/call.ts';
import type { VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';

/*
 * The memory that makes a replayed call act once. A call is named by its document and request id;
 * what it did is written in the same vault commit as the change itself, so that there is no moment
 * at which one is stored without the other. Pure steps over one record's value.
 */

/** What one call did, and when (ms since the epoch). */
export interface JournalEntry {
  readonly call: string;
  readonly at: number;
  readonly result: Json;
}

/** Entries by origin: a busy site cannot push out another's. */
export type Journal = Readonly<Record<string, readonly JournalEntry[]>>;

/** How long entries are kept, in ms, and how many of one origin. */
export const JOURNAL = {
  /** A port that dropped is replayed within seconds; a computer that slept, when it wakes. */
  keepMs: 10 * 60 * 1000,
  /** Far more than one origin's calls in flight that change something. */
  maxPerOrigin: 256,
} as const;

/** The same over all replays of a call, different for any two calls. */
export function callIdOf({ caller, requestId }: Pick<Call, 'caller' | 'requestId'>): string {
  return `${caller.kind === 'page' ? caller.documentId : 'surface'} ${requestId}`;
}

/** The entry of a call; undefined for one that did nothing yet. */
export function entryOf(journal: Journal, origin: string, call: string): JournalEntry | undefined {
  return ownEntries(journal, origin).find((entry) => entry.call === call);
}

/** The journal with one more entry, which replaces an earlier one of the same call. */
export function withEntry(journal: Journal, origin: string, added: JournalEntry): Journal {
  const isFresh = ({ at }: JournalEntry): boolean => Math.abs(added.at - at) < JOURNAL.keepMs;
  const fresh = Object.entries(journal).map(
    ([owner, entries]) => [owner, entries.filter(isFresh)] as const,
  );
  const others = fresh.filter(([owner, entries]) => owner !== origin && entries.length > 0);
  const earlier = ownEntries(journal, origin).filter(isFresh);
  const own = [...earlier.filter(({ call }) => call !== added.call), added];
  return Object.fromEntries([...others, [origin, own.slice(-JOURNAL.maxPerOrigin)]]);
}

function ownEntries(journal: Journal, origin: string): readonly JournalEntry[] {
  return Object.hasOwn(journal, origin) ? journal[origin]! : [];
}

/* The vault record that holds the journal, read and written within the commit of what it notes. */

/** Id and type of the journal's vault record. */
export const JOURNAL_ID = 'journal';

/** The origin under which calls of the extension's own pages are recorded; no origin has this form. */
export const OWN_PAGES = 'own pages';

/** The journal in its vault record; empty without one. */
export function journalOf(record: VaultRecord | undefined): Journal {
  return (record?.value ?? {}) as unknown as Journal;
}

/** The entry that this call wrote before; undefined for a new call. */
export async function recordedIn(
  draft: VaultDraft,
  origin: string,
  call: string,
): Promise<JournalEntry | undefined> {
  return entryOf(journalOf(await draft.get(JOURNAL_ID)), origin, call);
}

/** The result of an earlier run of this call; else does the work and records its result. */
export async function onceIn<T extends Json>(
  draft: VaultDraft,
  origin: string,
  { call, at }: Omit<JournalEntry, 'result'>,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = await recordedIn(draft, origin, call);
  if (before) return before.result as T;
  const result = await work();
  await recordIn(draft, origin, { call, at, result });
  return result;
}

/** Writes entries into the journal, within a commit. */
export async function recordIn(
  draft: VaultDraft,
  origin: string,
  ...entries: readonly JournalEntry[]
): Promise<void> {
  const before = journalOf(await draft.get(JOURNAL_ID));
  const after = entries.reduce((journal, entry) => withEntry(journal, origin, entry), before);
  draft.put({ id: JOURNAL_ID, type: JOURNAL_ID, value: after as unknown as Json });
}
