import { SealwrightError } from '../../rpc/errors.ts';

/*
 * How many keys of existing messages one document may be given. Whoever has such a key could alter
 * that message; a page that has been taken over should not be able to collect them by the thousand.
 * What is refused here is not lost: messages of the one-shot calls are then opened in the
 * background. Like the limits, this holds in one worker's life.
 */
export const RELEASES = { perDocument: 100, withinMs: 60_000 } as const;

export class Releases {
  readonly #now: () => number;
  readonly #times = new Map<string, number[]>();

  /** @param now a clock in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws SealwrightError QUOTA with `retryAfterMs` */
  admit(documentId: string): void {
    const now = this.#now();
    this.#forget(now);
    const times = this.#times.get(documentId) ?? [];
    if (times.length >= RELEASES.perDocument) {
      const retryAfterMs = Math.ceil(times[0]! + RELEASES.withinMs - now);
      throw new SealwrightError('QUOTA', 'Too many messages opened at once', { retryAfterMs });
    }
    this.#times.set(documentId, [...times, now]);
  }

  /** A clock that was set back makes times of the future: they are forgotten too. */
  #forget(now: number): void {
    for (const [documentId, times] of this.#times) {
      const fresh = times.filter((time) => time <= now && now - time < RELEASES.withinMs);
      if (fresh.length === 0) this.#times.delete(documentId);
      else this.#times.set(documentId, fresh);
    }
  }
}
