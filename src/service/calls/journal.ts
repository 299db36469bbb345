import type { Json } from '../../keys/json.ts';
import type { Call } from '../../rpc/call.ts';

/*
 * The memory that makes a replayed call act once. A call is named by its document and request id;
 * what it did is written in the same vault commit as the change itself, so that there is no moment
 * at which one is stored without the other. Pure steps over one record's value.
 */

export interface JournalEntry {
  readonly call: string;
  readonly at: number;
  readonly result: Json;
}

/** Entries by origin: a busy site cannot push out another's. */
export type Journal = Readonly<Record<string, readonly JournalEntry[]>>;

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

export function entryOf(journal: Journal, origin: string, call: string): JournalEntry | undefined {
  return ownEntries(journal, origin).find((entry) => entry.call === call);
}

/** What the same call noted before gives way to what it notes now. */
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
