import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/*
 * How many messages a grant opens in an hour. The grant's record counts them by minute. The hour slides: with hours of
 * the clock, a page could open twice the limit around the full hour.
 *
 * A commit for each message would cost more than the message. So a commit counts some openings in advance, which the
 * worker uses within that minute, and the next commit of the audit log takes back those that are left. A worker that
 * dies before that has used them up: openings may be lost, and are never more than the limit.
 */

const MINUTE_MS = 60_000;

/** The last hour, and the rest of the minute in which it began. */
const COUNTED_MINUTES = 61;

/** One commit counts at least this share of the limit. */
const SHARE = 1 / 8;

/** Openings by minute since the epoch, oldest first. */
export type OpenedByMinute = readonly (readonly [minute: number, count: number])[];

/** Of a grant, what is limited and what is counted. */
interface Limited {
  readonly maxPerHour: number | null;
  readonly opened: OpenedByMinute;
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

function counting(opened: OpenedByMinute, now: number): OpenedByMinute {
  const first = minuteOf(now) - COUNTED_MINUTES + 1;
  return opened.filter(([minute]) => minute >= first);
}

/** How many more a grant may open now. */
export function openingsLeft({ maxPerHour, opened }: Limited, now: number): number {
  if (maxPerHour === null) return Infinity;
  const used = counting(opened, now).reduce((sum, [, count]) => sum + count, 0);
  return Math.max(0, maxPerHour - used);
}

/** ms until the first of those that count now counts no longer. */
export function nextOpeningInMs({ opened }: Pick<Limited, 'opened'>, now: number): number {
  const [first] = counting(opened, now)[0] ?? [minuteOf(now)];
  return (first + COUNTED_MINUTES) * MINUTE_MS - now;
}

/** With more openings, and without those that count no longer. */
export function withOpenings(opened: OpenedByMinute, count: number, now: number): OpenedByMinute {
  return changedBy(counting(opened, now), minuteOf(now), count);
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

/** Openings that are counted in the record and not used yet. Those of an earlier minute are of no use. */
interface Reserve {
  readonly minute: number;
  readonly left: number;
}

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
    const { minute, left } = this.#reserves.get(grantId)!;
    this.#reserves.set(grantId, { minute, left: left - count });
  }

  /** After a commit that has counted more than its call opens. */
  add(grantId: string, count: number, now: number): void {
    this.#add(grantId, { minute: minuteOf(now), left: count });
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

  #add(id: string, { minute, left }: Reserve): void {
    const present = this.#reserves.get(id);
    if (present && present.minute > minute) return;
    const more = present?.minute === minute ? present.left : 0;
    this.#reserves.set(id, { minute, left: left + more });
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

/** A grant's openings without those that were counted in advance and not used. */
export function withoutReserve(
  opened: OpenedByMinute,
  grantId: string,
  taken: TakenReserves,
): OpenedByMinute {
  const reserve = taken.get(grantId);
  return reserve ? changedBy(opened, reserve.minute, -reserve.left) : opened;
}

/** A grant that has gone meanwhile stays gone. */
async function writeBack(draft: VaultDraft, taken: TakenReserves): Promise<void> {
  for (const id of taken.keys()) {
    const record = await draft.get(id);
    if (!record) continue;
    const value = record.value as unknown as Limited;
    const opened = withoutReserve(value.opened, id, taken);
    draft.put({ ...record, value: { ...value, opened } });
  }
}
