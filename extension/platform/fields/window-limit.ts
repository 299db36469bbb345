/** Windows that messages of a tab's content scripts may open at once, and in each PERIOD_MS later. */
const WINDOWS = 3;
const PERIOD_MS = 10_000;

interface Bucket {
  tokens: number;
  refilledAt: number;
}

/**
 * Limits how often messages of content scripts open windows, by a token bucket for each tab. It holds
 * in one worker's life: what a restart forgives is one period.
 */
export class WindowLimit {
  readonly #nowMs: () => number;
  readonly #buckets = new Map<number, Bucket>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Takes a token. @returns false if the tab has none left */
  take(tabId: number): boolean {
    const now = this.#nowMs();
    this.#refill(now);
    const bucket = this.#buckets.get(tabId) ?? { tokens: WINDOWS, refilledAt: now };
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    this.#buckets.set(tabId, bucket);
    return true;
  }

  /** Drops the buckets that are full again. */
  #refill(now: number): void {
    for (const [tabId, bucket] of this.#buckets) {
      bucket.tokens += ((now - bucket.refilledAt) * WINDOWS) / PERIOD_MS;
      bucket.refilledAt = now;
      if (bucket.tokens >= WINDOWS) this.#buckets.delete(tabId);
    }
  }
}
