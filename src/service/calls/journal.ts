import type { Json } from '../../keys/values/json.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';

/*
 * The memory that makes a replayed call act once. A call is named by its document and request id;
 * what it did is written in the same vault commit as the change itself, so that there is no moment
 * at which one is stored without the other. Pure steps over one record's value.
 */

/** A call, as it is looked for and recorded. JSON. */
export interface RecordedCall {
  readonly call: string;
  /** What a page's call asked for (fingerprint.ts). Absent: of the extension's own pages, or a question. */
  readonly asks?: string;
  /** ms since the epoch */
  readonly at: number;
}

/** What one call did. */
export interface JournalEntry extends RecordedCall {
  readonly result: Json;
}

/**
 * The id of an earlier call under other parameters. No client of ours does that: a content script that
 * was taken over could otherwise have any number of calls for the price of one.
 */
export class ReusedRequestId extends SealwrightError {
  constructor() {
    super('INVALID_ARGUMENT', 'A request id was used twice');
  }
}

/** Entries by origin: a busy site cannot push out another's. */
export type Journal = Readonly<Record<string, readonly JournalEntry[]>>;

/** How long entries are kept, in ms, and how many of one origin. */
export const JOURNAL = {
  /** A port that dropped is replayed within seconds. What is repeated later counts as a new call. */
  keepMs: 10 * 60 * 1000,
  /** Far more than one origin's calls in flight that change something. */
  maxPerOrigin: 256,
} as const;

/**
 * The same over all replays of a call, different for any two calls of one origin. (Where the browser
 * names no documents, two origins can meet in one frame: the journal is kept by origin, and what a call
 * asks for includes it.)
 */
export function callIdOf({ caller, requestId }: Pick<Call, 'caller' | 'requestId'>): string {
  return `${caller.kind === 'page' ? caller.documentId : 'surface'} ${requestId}`;
}

/**
 * The entry of a call; undefined for one that did nothing yet, or so long ago that it is forgotten.
 *
 * @throws ReusedRequestId for a call that asks for something else than the one that it repeats
 */
export function entryOf(
  journal: Journal,
  origin: string,
  { call, asks, at }: RecordedCall,
): JournalEntry | undefined {
  const entry = ownEntries(journal, origin).find((each) => each.call === call);
  if (!entry || !isFresh(entry, at)) return undefined;
  if (entry.asks !== asks) throw new ReusedRequestId();
  return entry;
}

/** Neither too old nor from a clock that was far ahead. */
function isFresh(entry: RecordedCall, now: number): boolean {
  return Math.abs(now - entry.at) < JOURNAL.keepMs;
}

/** The journal with one more entry, which replaces an earlier one of the same call. */
export function withEntry(journal: Journal, origin: string, added: JournalEntry): Journal {
  const isKept = (entry: JournalEntry): boolean => isFresh(entry, added.at);
  const fresh = Object.entries(journal).map(
    ([owner, entries]) => [owner, entries.filter(isKept)] as const,
  );
  const others = fresh.filter(([owner, entries]) => owner !== origin && entries.length > 0);
  const earlier = ownEntries(journal, origin).filter(isKept);
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

/** The entry that this call wrote before; undefined for a new call. @throws ReusedRequestId */
export async function recordedIn(
  draft: VaultDraft,
  origin: string,
  call: RecordedCall,
): Promise<JournalEntry | undefined> {
  return entryOf(journalOf(await draft.get(JOURNAL_ID)), origin, call);
}

/**
 * The result of an earlier run of this call; else does the work and records its result.
 *
 * @throws ReusedRequestId
 */
export async function onceIn<T extends Json>(
  draft: VaultDraft,
  origin: string,
  call: RecordedCall,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = await recordedIn(draft, origin, call);
  if (before) return before.result as T;
  const result = await work();
  await recordIn(draft, origin, { ...call, result });
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
