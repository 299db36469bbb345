import type { Json } from '../../keys/values/json.ts';
import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/*
 * How much a grant opens in each hour, so that an unusual hour can be reported: it may be foreign code in the page, or an
 * export. Nothing is stopped by it. The grant's record has the hour that is counted and the largest hour of each day;
 * counts wait in memory for the commit of the audit log, so that a use writes nothing. Those of a worker that ends before that
 * are lost.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_A_DAY = 24;

/** When an hour is unusual. */
export const UNUSUAL_HOUR = { moreThan: 100, timesLargest: 4, ofDays: 30 } as const;

/** What a grant's record has of it. Hours and days are whole numbers since the epoch. */
export interface OpenedByHour {
  /** The day on which counting began. */
  readonly since: number;
  readonly hour: number;
  readonly count: number;
  /** The largest earlier hour of each day, oldest first. */
  readonly largest: readonly (readonly [day: number, count: number])[];
  /** An unusual hour that the user has not read of. */
  readonly told: number | null;
}

const hourAt = (time: number): number => Math.floor(time / HOUR_MS);
const dayOf = (hour: number): number => Math.floor(hour / HOURS_A_DAY);

/** The counts after more openings in an hour, which is not before the one that was counted last. */
export function withOpened(
  before: OpenedByHour | undefined,
  hour: number,
  count: number,
): OpenedByHour {
  if (!before) return { since: dayOf(hour), hour, count, largest: [], told: null };
  if (hour <= before.hour) return { ...before, count: before.count + count };
  return { ...before, hour, count, largest: largestBefore(before, hour) };
}

function largestBefore({ largest, hour, count }: OpenedByHour, now: number) {
  const day = dayOf(hour);
  const others = largest.filter(([each]) => each !== day);
  const ofDay = Math.max(count, ...largest.flatMap(([each, most]) => (each === day ? [most] : [])));
  const first = dayOf(now) - UNUSUAL_HOUR.ofDays;
  return [...others, [day, ofDay] as const].filter(([each]) => each >= first);
}

/**
 * How much more a grant may open in an hour before that hour is unusual. Infinity on the first day, which has nothing to
 * compare with, and once it was reported.
 */
export function usualLeft(hours: OpenedByHour | undefined, hour: number): number {
  if (!hours || hours.since >= dayOf(hour) || hours.told === hour) return Infinity;
  const now = withOpened(hours, hour, 0);
  const largest = Math.max(0, ...now.largest.map(([, count]) => count));
  const { moreThan, timesLargest } = UNUSUAL_HOUR;
  return Math.max(moreThan, timesLargest * largest) - now.count;
}

/** By a clock that was set by so many ms. */
export function hoursMovedInTime(hours: OpenedByHour, byMs: number): OpenedByHour {
  const [byHours, byDays] = [Math.ceil(byMs / HOUR_MS), Math.ceil(byMs / DAY_MS)];
  const moved = (value: number, by: number): number => Math.max(0, value + by);
  return {
    ...hours,
    since: moved(hours.since, byDays),
    hour: moved(hours.hour, byHours),
    largest: hours.largest.map(([day, count]) => [moved(day, byDays), count]),
    told: hours.told === null ? null : moved(hours.told, byHours),
  };
}

/** Of a grant, what is needed here. */
interface CountedGrant {
  readonly id: string;
  readonly hours?: OpenedByHour;
}

/** What is not saved yet, of one hour. */
interface Unsaved {
  readonly hour: number;
  count: number;
  /** Openings after which the hour is unusual. */
  usual: number;
  isReported: boolean;
}

/** Counts what grants open, and finds the hours that are unusual. */
export class OpeningHours<G extends CountedGrant> implements PiggybackedWrite {
  readonly #onUnusual: (grant: G) => void;
  #unsaved = new Map<string, Unsaved>();
  /** Of hours that ended before they were saved. */
  #ended: (readonly [id: string, counted: Unsaved])[] = [];
  /** The hours that this worker has reported, by the id of the grant: the record has them later. */
  readonly #reported = new Map<string, number>();

  /** @param onUnusual called once for an hour of a grant */
  constructor(onUnusual: (grant: G) => void) {
    this.#onUnusual = onUnusual;
  }

  note(grant: G, uses: number, now: number): void {
    const hour = hourAt(now);
    let counted = this.#unsaved.get(grant.id);
    if (counted?.hour !== hour) {
      if (counted) this.#ended.push([grant.id, counted]);
      const isReported = this.#reported.get(grant.id) === hour;
      const usual = isReported ? Infinity : usualLeft(grant.hours, hour);
      counted = { hour, count: 0, usual, isReported };
      this.#unsaved.set(grant.id, counted);
    }
    counted.count += uses;
    if (counted.count <= counted.usual) return;
    counted.usual = Infinity;
    counted.isReported = true;
    this.#reported.set(grant.id, hour);
    this.#onUnusual(grant);
  }

  take(): Taken {
    const taken = [...this.#ended, ...this.#unsaved];
    this.#ended = [];
    this.#unsaved = new Map();
    return {
      write: async (draft) => {
        for (const [id, counted] of taken) await writeHours(draft, id, counted);
      },
      settle: (saved) => {
        if (!saved) this.#ended.unshift(...taken);
      },
    };
  }
}

/** A grant that has gone meanwhile stays gone. */
async function writeHours(draft: VaultDraft, id: string, counted: Unsaved): Promise<void> {
  const record = await draft.get(id);
  if (!record) return;
  const grant = record.value as unknown as Pick<CountedGrant, 'hours'>;
  const after = withOpened(grant.hours, counted.hour, counted.count);
  const hours = counted.isReported ? { ...after, told: counted.hour } : after;
  draft.put({ ...record, value: { ...grant, hours } as unknown as Json });
}
