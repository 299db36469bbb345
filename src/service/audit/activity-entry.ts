/*
 * One line of the audit log, as pure data: who used which key for what, how much, and how it ended.
 * Never content, never a message's context, nothing of a private window.
 */

/** Beside methods of pages by their names, what the user did. */
export interface ActivityEntry {
  /** ms since the epoch, of the first and of the last of these uses. */
  readonly from: number;
  readonly until: number;
  /** Null: the user, in the extension's own pages. */
  readonly origin: string | null;
  /** The site for which the user opened a message; absent elsewhere. */
  readonly of?: string;
  /** Of Firefox; null elsewhere. */
  readonly container: string | null;
  /** The key ring's name of the key; null where none was found, or none was wanted. */
  readonly ref: string | null;
  /** The id of the contact that the user added, changed or deleted; absent elsewhere. */
  readonly contact?: string;
  readonly operation: string;
  /** `ok`, `ABORTED`, or the code of the error. */
  readonly result: string;
  /** Messages: a batch counts each of its items. */
  readonly uses: number;
  /** Bytes that were handed in. */
  readonly bytes: number;
}

/**
 * Uses alike (site, key, operation, result) within one minute are one entry. A loop of a million
 * calls is one line a minute to read, and cannot push out what came before it.
 */
export const SAME_ENTRY_MS = 60_000;

/** The entries, oldest first, with one more: added to one that it continues, or at the end. */
export function withActivity(
  entries: readonly ActivityEntry[],
  added: ActivityEntry,
): ActivityEntry[] {
  const place = entries.findLastIndex((entry) => continues(entry, added));
  if (place === -1) return [...entries, added];
  return entries.with(place, joined(entries[place]!, added));
}

/**
 * At most so many entries, in their order. Where there are too many, each site keeps its newest up to a
 * quota that is the same for all, and the user's own acts count like one site: one that does many
 * things pushes out its own entries only.
 */
export function withinQuotas(entries: readonly ActivityEntry[], max: number): ActivityEntry[] {
  if (entries.length <= max) return [...entries];
  const counts = new Map<string | null, number>();
  for (const { origin } of entries) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  const quota = quotaOf([...counts.values()], max);
  const surplus = new Map([...counts].map(([origin, count]) => [origin, count - quota]));
  const kept = entries.filter(({ origin }) => {
    const left = surplus.get(origin)!;
    surplus.set(origin, left - 1);
    return left <= 0;
  });
  return kept.slice(-max); // more sites than entries
}

/** The largest quota under which all sites together have at most `max`. */
function quotaOf(counts: readonly number[], max: number): number {
  let left = max;
  const rising = [...counts].sort((a, b) => a - b);
  for (const [i, count] of rising.entries()) {
    const share = Math.floor(left / (rising.length - i));
    if (count > share) return Math.max(1, share);
    left -= count;
  }
  return max;
}

/** Measured from the beginning of the entry: an entry without an end would say nothing about the time. */
function continues(entry: ActivityEntry, added: ActivityEntry): boolean {
  return (
    Math.abs(added.until - entry.from) < SAME_ENTRY_MS &&
    entry.origin === added.origin &&
    entry.of === added.of &&
    entry.container === added.container &&
    entry.ref === added.ref &&
    entry.contact === added.contact &&
    entry.operation === added.operation &&
    entry.result === added.result
  );
}

function joined(entry: ActivityEntry, added: ActivityEntry): ActivityEntry {
  return {
    ...entry,
    from: Math.min(entry.from, added.from),
    until: Math.max(entry.until, added.until),
    uses: entry.uses + added.uses,
    bytes: entry.bytes + added.bytes,
  };
}
