import type { Json } from '../../keys/values/json.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';

/*
 * How much each site asked for, day by day: one vault record for each day, for as long as the chart
 * looks back. Days are those of the user's calendar.
 */
/** How many days are kept, and how many sites of each. */
export const USAGE_DAYS = {
  kept: 90,
  /** Of one day; calls of further sites are not counted, so that sites cannot fill the vault. */
  maxSites: 500,
} as const;

/** What one site asked for. */
export interface Counts {
  /** Each item of a batch is one, as for the limits. */
  readonly calls: number;
  readonly bytes: number;
  /** Of those calls beyond the limits, which were turned away. */
  readonly refused: number;
}

/** Counts of a site that asked for nothing. */
export const NONE: Counts = { calls: 0, bytes: 0, refused: 0 };

/** Counts by the name that `usage.ts` gives a site. */
export type CountsBySite = Readonly<Record<string, Counts>>;

const TYPE = 'usage';
const idOf = (day: string): string => `${TYPE}/${day}`;

/** "2026-11-21", in local time. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => `${n}`.padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** The last days, today last. */
export function lastDays(now: number, count: number): string[] {
  const today = new Date(now);
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  // Noon: a day with a change of the clocks is still one day.
  return Array.from({ length: count }, (_, i) =>
    dayOf(new Date(year, month, date - (count - 1 - i), 12).getTime()),
  );
}

/** The sum of both, for each site. Sites beyond `maxSites` are left out. */
export function addedCounts(a: CountsBySite, b: CountsBySite): CountsBySite {
  const sums = Object.entries(b).map(([site, counts]) => [site, sumOf(ownCounts(a, site), counts)]);
  const all = { ...a, ...(Object.fromEntries(sums) as CountsBySite) };
  return Object.fromEntries(Object.entries(all).slice(0, USAGE_DAYS.maxSites));
}

function ownCounts(counts: CountsBySite, site: string): Counts {
  return Object.hasOwn(counts, site) ? counts[site]! : NONE;
}

/** The sum of two counts. */
export function sumOf(a: Counts, b: Counts): Counts {
  return { calls: a.calls + b.calls, bytes: a.bytes + b.bytes, refused: a.refused + b.refused };
}

/** Adds counts within a commit. The first counts of a day also remove the oldest days. */
export async function addToDay(
  draft: VaultDraft,
  now: number,
  counts: CountsBySite,
): Promise<void> {
  const id = idOf(dayOf(now));
  const before = await draft.get(id);
  const value = addedCounts((before?.value ?? {}) as unknown as CountsBySite, counts);
  draft.put({ id, type: TYPE, value: value as unknown as Json });
  if (!before) await forgetOldDays(draft, now);
}

async function forgetOldDays(draft: VaultDraft, now: number): Promise<void> {
  const kept = new Set(lastDays(now, USAGE_DAYS.kept).map(idOf));
  for (const { id } of await draft.list(TYPE)) if (!kept.has(id)) draft.remove(id);
}

/** Within a commit. */
export async function clearUsageDays(draft: VaultDraft): Promise<void> {
  for (const { id } of await draft.list(TYPE)) draft.remove(id);
}

/** @returns by day @throws VaultError LOCKED, CORRUPT */
export async function readUsageDays(vault: Vault): Promise<ReadonlyMap<string, CountsBySite>> {
  const records = await vault.list(TYPE);
  return new Map(
    records.map(({ id, value }) => [id.slice(idOf('').length), value as unknown as CountsBySite]),
  );
}
