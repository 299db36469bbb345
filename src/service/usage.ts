import type { Vault } from '../keys/vault.ts';
import type { SurfaceUsage } from '../rpc/surface-activity.ts';
import type { Companion, Taken } from './companion.ts';
import type { PageCaller } from './frame-policy.ts';
import {
  addedCounts,
  addToDay,
  clearUsageDays,
  dayOf,
  lastDays,
  readUsageDays,
  type Counts,
  type CountsBySite,
} from './usage-days.ts';

export interface UsageParts {
  readonly vault: Vault;
  readonly now: () => number;
}

/** What sites ask of the background, counted where their limits are charged. */
export class Usage implements Companion {
  readonly #parts: UsageParts;
  #unsaved: CountsBySite = {};

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /** Nothing is counted of private windows. */
  count({ origin, incognito }: PageCaller, counts: Partial<Counts>): void {
    if (incognito) return;
    const added = { calls: 0, bytes: 0, refused: 0, ...counts };
    this.#unsaved = addedCounts(this.#unsaved, { [origin]: added });
  }

  /** Counts that are saved after midnight belong to the new day: they waited for seconds. */
  take(): Taken {
    const taken = this.#unsaved;
    this.#unsaved = {};
    return {
      write: async (draft) => {
        if (Object.keys(taken).length > 0) await addToDay(draft, this.#parts.now(), taken);
      },
      settle: (saved) => {
        if (!saved) this.#unsaved = addedCounts(taken, this.#unsaved);
      },
    };
  }

  /**
   * The last days of each site that asked for anything, the busiest site first. Not while a save is
   * under way.
   * @throws VaultError LOCKED
   */
  async ofSites(days: number): Promise<SurfaceUsage[]> {
    const now = this.#parts.now();
    const byDay = new Map(await readUsageDays(this.#parts.vault));
    const today = dayOf(now);
    byDay.set(today, addedCounts(byDay.get(today) ?? {}, this.#unsaved));
    const names = lastDays(now, days);
    const origins = new Set(names.flatMap((day) => Object.keys(byDay.get(day) ?? {})));
    return [...origins]
      .map((origin) => usageOf(origin, names, byDay))
      .sort((a, b) => callsOf(b) - callsOf(a));
  }

  /** @throws VaultError LOCKED, QUOTA, UNAVAILABLE */
  async clear(): Promise<void> {
    await this.#parts.vault.commit((draft) => clearUsageDays(draft));
    this.#unsaved = {};
  }
}

function usageOf(
  origin: string,
  names: readonly string[],
  byDay: ReadonlyMap<string, CountsBySite>,
): SurfaceUsage {
  const none = { calls: 0, bytes: 0, refused: 0 };
  return { origin, days: names.map((day) => ({ day, ...(byDay.get(day)?.[origin] ?? none) })) };
}

const callsOf = ({ days }: SurfaceUsage): number => days.reduce((all, { calls }) => all + calls, 0);
