import type { Json } from '../../keys/values/json.ts';
import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/*
 * How many messages a grant opens in an hour. The grant's record counts them by minute. The hour slides: with hours of
 * the clock, a page could open twice the limit around the full hour.
 *
 * A commit for each message would cost more than the message. So a commit counts some openings in advance, which the
 * worker uses within that minute, and the next commit of the audit log takes back those that are left. A worker that
 * ends before that has used them up: openings may be lost, and are never more than the limit.
 */

const MINUTE_MS = 60_000;

/** The last hour, and the rest of the minute in which it began. */
const COUNTED_MINUTES = 61;

/** One commit counts at least this share of the limit. */
const SHARE = 1 / 8;

/** Openings by minute since the epoch, oldest first. */
export type OpenedByMinute = readonly (readonly [minute: number, count: number])[];

/** Openings that the user has allowed beside those of the hour, for an export: they are taken first. */
export interface Bulk {
  readonly left: number;
  /** ms since the epoch. What is left by then ends: later it would serve anyone who gets into the page. */
  readonly until: number;
}

/** How long openings in bulk last, in ms. */
export const BULK_MS = 3_600_000;

/** Of a grant, what is limited and what is counted. */
interface Limited {
  readonly maxPerHour: number | null;
  readonly opened: OpenedByMinute;
  readonly bulk: Bulk | null;
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

function counting(opened: OpenedByMinute, now: number): OpenedByMinute {
  const first = minuteOf(now) - COUNTED_MINUTES + 1;
  return opened.filter(([minute]) => minute >= first);
}

/** How many more a grant may open now. */
export function openingsLeft(grant: Limited, now: number): number {
  const { maxPerHour, opened } = grant;
  if (maxPerHour === null) return Infinity;
  const used = counting(opened, now).reduce((sum, [, count]) => sum + count, 0);
  return Math.max(0, maxPerHour - used) + bulkLeft(grant, now);
}

/** How many of those are beside the hour's. */
export function bulkLeft({ bulk }: Pick<Limited, 'bulk'>, now: number): number {
  return bulk && now < bulk.until ? bulk.left : 0;
}

/** ms until the first of those that count now counts no longer. */
export function nextOpeningInMs({ opened }: Pick<Limited, 'opened'>, now: number): number {
  const [first] = counting(opened, now)[0] ?? [minuteOf(now)];
  return (first + COUNTED_MINUTES) * MINUTE_MS - now;
}

/** The grant after more openings, and without those that count no longer. */
export function withOpenings<T extends Limited>(grant: T, count: number, now: number): T {
  const beside = Math.min(count, bulkLeft(grant, now));
  const opened = changedBy(counting(grant.opened, now), minuteOf(now), count - beside);
  return { ...grant, opened, bulk: bulkChangedBy(grant.bulk, -beside) };
}

/** What several grants have opened, for one that takes their place. */
export function openedTogether(grants: readonly Pick<Limited, 'opened'>[]): OpenedByMinute {
  const all = grants.flatMap(({ opened }) => opened);
  return all.reduce<OpenedByMinute>((sum, [minute, count]) => changedBy(sum, minute, count), []);
}

/** By a clock that was set by so many ms; rounded so that none counts for less time. */
export function openedMovedInTime(opened: OpenedByMinute, byMs: number): OpenedByMinute {
  const byMinutes = Math.ceil(byMs / MINUTE_MS);
  return opened.map(([minute, count]) => [Math.max(0, minute + byMinutes), count]);
}

function changedBy(opened: OpenedByMinute, minute: number, by: number): OpenedByMinute {
  const before = opened.find(([each]) => each === minute)?.[1] ?? 0;
  const others = opened.filter(([each]) => each !== minute);
  const count = Math.max(0, before + by);
  return count === 0 ? others : [...others, [minute, count] as const].sort(([a], [b]) => a - b);
}

function bulkChangedBy(bulk: Bulk | null, by: number): Bulk | null {
  return bulk && { ...bulk, left: bulk.left + by };
}

/** Openings that are counted in the record and not used yet. */
export interface Counted {
  readonly left: number;
  /** How many of them are beside the hour's. These are used first. */
  readonly ofBulk: number;
}

/** Those of an earlier minute are of no use. */
interface Reserve extends Counted {
  readonly minute: number;
}

const NOTHING: Counted = { left: 0, ofBulk: 0 };

/** Reserves that no call uses while a commit is under way, by the id of the grant. */
export type TakenReserves = ReadonlyMap<string, Reserve>;

/** The openings that this worker has counted in advance. */
export class OpeningReserves implements PiggybackedWrite {
  readonly #reserves = new Map<string, Reserve>();

  /** How many openings of a grant need no commit. */
  left(grantId: string, now: number): number {
    const reserve = this.#reserves.get(grantId);
    return reserve?.minute === minuteOf(now) ? reserve.left : 0;
  }

  /** @param count at most `left` */
  use(grantId: string, count: number): void {
    const { minute, left, ofBulk } = this.#reserves.get(grantId)!;
    const reserve = { minute, left: left - count, ofBulk: Math.max(0, ofBulk - count) };
    this.#reserves.set(grantId, reserve);
  }

  /** After a commit that has counted more than its call opens. */
  add(grantId: string, counted: Counted, now: number): void {
    this.#add(grantId, { minute: minuteOf(now), ...counted });
  }

  takeOut(grantIds: Iterable<string>): TakenReserves {
    const taken = new Map<string, Reserve>();
    for (const id of grantIds) {
      const reserve = this.#reserves.get(id);
      if (reserve) taken.set(id, reserve);
      this.#reserves.delete(id);
    }
    return taken;
  }

  /** After a commit that failed. */
  putBack(taken: TakenReserves): void {
    for (const [id, reserve] of taken) this.#add(id, reserve);
  }

  #add(id: string, reserve: Reserve): void {
    const present = this.#reserves.get(id);
    if (present && present.minute > reserve.minute) return;
    const { left, ofBulk } = present?.minute === reserve.minute ? present : NOTHING;
    const sum = { left: reserve.left + left, ofBulk: reserve.ofBulk + ofBulk };
    this.#reserves.set(id, { minute: reserve.minute, ...sum });
  }

  take(): Taken {
    const taken = this.takeOut([...this.#reserves.keys()]);
    return {
      write: (draft) => writeBack(draft, taken),
      settle: (saved) => {
        if (!saved) this.putBack(taken);
      },
    };
  }
}

/** How many openings a commit counts for a call that opens `count`, of those that are left. */
export function countedInAdvance(maxPerHour: number, count: number, left: number): number {
  return Math.min(Math.max(count, Math.ceil(maxPerHour * SHARE)), left);
}

/** A grant without the openings that were counted in advance and not used. */
export function withoutReserve<T extends Limited>(
  grant: T,
  grantId: string,
  taken: TakenReserves,
): T {
  const reserve = taken.get(grantId);
  if (!reserve) return grant;
  const { minute, left, ofBulk } = reserve;
  const opened = changedBy(grant.opened, minute, ofBulk - left);
  return { ...grant, opened, bulk: bulkChangedBy(grant.bulk, ofBulk) };
}

/** A grant that has gone meanwhile stays gone. */
async function writeBack(draft: VaultDraft, taken: TakenReserves): Promise<void> {
  for (const id of taken.keys()) {
    const record = await draft.get(id);
    if (!record) continue;
    const value = withoutReserve(record.value as unknown as Limited, id, taken);
    draft.put({ ...record, value: { ...value } as unknown as Json });
  }
}
