import type { Vault } from '../../keys/vault/vault.ts';
import type { UiUsage } from '../../rpc/methods/ui-activity.ts';
import type { PiggybackedWrite, Taken } from './piggybacked-write.ts';
import type { PageCaller } from '../calls/frame-policy.ts';
import {
  addedCounts,
  addToDay,
  clearUsageDays,
  dayOf,
  lastDays,
  NONE,
  readUsageDays,
  sumOf,
  USAGE_DAYS,
  type Counts,
  type CountsBySite,
} from './usage-days.ts';

/** What the usage counts are built from. */
export interface UsageDeps {
  readonly vault: Vault;
  readonly now: () => number;
}

/** What sites ask of the background, counted where their limits are charged. */
export class Usage implements PiggybackedWrite {
  readonly #deps: UsageDeps;
  readonly #unsaved = new Map<string, Counts>();

  constructor(deps: UsageDeps) {
    this.#deps = deps;
  }

  /** Nothing is counted of private windows. */
  count({ origin, incognito }: PageCaller, counts: Partial<Counts>): void {
    if (incognito) return;
    this.#add(origin, { ...NONE, ...counts });
  }

  /** Counts that are saved after midnight belong to the new day: they waited for seconds. */
  take(): Taken {
    const taken: CountsBySite = Object.fromEntries(this.#unsaved);
    this.#unsaved.clear();
    return {
      write: async (draft) => {
        if (Object.keys(taken).length > 0) await addToDay(draft, this.#deps.now(), taken);
      },
      settle: (saved) => {
        if (saved) return;
        for (const [origin, counts] of Object.entries(taken)) this.#add(origin, counts);
      },
    };
  }

  /**
   * The last days of each site that asked for anything, the busiest site first. Not while a save is
   * under way.
   * @throws VaultError LOCKED
   */
  async ofSites(days: number): Promise<UiUsage[]> {
    const now = this.#deps.now();
    const byDay = new Map(await readUsageDays(this.#deps.vault));
    const today = dayOf(now);
    byDay.set(today, addedCounts(byDay.get(today) ?? {}, Object.fromEntries(this.#unsaved)));
    const names = lastDays(now, days);
    const origins = new Set(names.flatMap((day) => Object.keys(byDay.get(day) ?? {})));
    return [...origins]
      .map((origin) => usageOf(origin, names, byDay))
      .sort((a, b) => callsOf(b) - callsOf(a));
  }

  /** @throws VaultError LOCKED, QUOTA, UNAVAILABLE */
  async clear(): Promise<void> {
    await this.#deps.vault.commit((draft) => clearUsageDays(draft));
    this.#unsaved.clear();
  }

  /** As the days of the vault: of so many sites, and no more. */
  #add(origin: string, counts: Counts): void {
    const before = this.#unsaved.get(origin);
    if (!before && this.#unsaved.size >= USAGE_DAYS.maxSites) return;
    this.#unsaved.set(origin, before ? sumOf(before, counts) : counts);
  }
}

function usageOf(
  origin: string,
  names: readonly string[],
  byDay: ReadonlyMap<string, CountsBySite>,
): UiUsage {
  return { origin, days: names.map((day) => ({ day, ...(byDay.get(day)?.[origin] ?? NONE) })) };
}

const callsOf = ({ days }: UiUsage): number => days.reduce((all, { calls }) => all + calls, 0);
