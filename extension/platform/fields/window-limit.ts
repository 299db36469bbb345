/** Windows that a page's scripts may open in a tab within PERIOD_MS. */
const WINDOWS = 3;
const PERIOD_MS = 10_000;

/**
 * Limits how often messages of content scripts open windows, for each tab. It holds in one worker's
 * life: what a restart forgives is one period.
 */
export class WindowLimit {
  readonly #nowMs: () => number;
  /** Tab → when its last windows were asked for. */
  readonly #taken = new Map<number, readonly number[]>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Counts one window. @returns false if the tab has had its share */
  take(tabId: number): boolean {
    const now = this.#nowMs();
    for (const [tab, times] of this.#taken) {
      const recent = times.filter((at) => now - at < PERIOD_MS);
      if (recent.length > 0) this.#taken.set(tab, recent);
      else this.#taken.delete(tab);
    }
    const taken = this.#taken.get(tabId) ?? [];
    if (taken.length >= WINDOWS) return false;
    this.#taken.set(tabId, [...taken, now]);
    return true;
  }
}
