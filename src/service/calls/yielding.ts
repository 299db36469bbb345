import type { Later } from '../../rpc/timers.ts';

/** How long one piece of work may keep all others waiting; a round trip takes about as long. */
const TURN_MS = 0.3;

/**
 * The background has one thread: whoever works for longer than a turn lets others in. One object
 * for all of them, because what counts is how long messages have been waiting, not who worked.
 */
export class Yielder {
  readonly #later: Later;
  readonly #nowMs: () => number;
  #began: number;

  /** @param nowMs a clock with fractions of milliseconds */
  constructor(later: Later, nowMs: () => number) {
    this.#later = later;
    this.#nowMs = nowMs;
    this.#began = nowMs();
  }

  /** At once while the turn lasts, else when the others have had theirs. */
  async yieldIfDue(): Promise<void> {
    if (this.#nowMs() - this.#began < TURN_MS) return;
    await new Promise<void>((resume) => this.#later(resume));
    this.#began = this.#nowMs();
  }
}
