import type { StressResult } from '../../keys/stress.ts';

/** What a stress test counts, and what must never happen. */
export class Tally {
  trials = 0;
  readonly #failures: string[] = [];
  readonly #counts: Record<string, number> = {};

  count(what: string, times = 1): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + times;
  }

  hold(isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.#failures.push(otherwise);
  }

  result(): StressResult {
    return { trials: this.trials, failures: this.#failures, counts: this.#counts };
  }
}
