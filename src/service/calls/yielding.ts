import type { Later } from '../../rpc/timers.ts';

/** How long one piece of work may block other messages, in ms; a round trip takes about as long. */
const TURN_MS = 0.3;

/**
 * Lets other messages in during long work on the background's one thread. All work shares one
 * object, because the time since messages were last let in counts, not the time of each piece.
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

  /** Resolves at once within TURN_MS of the last yield, else after waiting messages were handled. */
  async yieldIfDue(): Promise<void> {
    if (this.#nowMs() - this.#began < TURN_MS) return;
    await new Promise<void>((resume) => this.#later(resume));
    this.#began = this.#nowMs();
  }
}
