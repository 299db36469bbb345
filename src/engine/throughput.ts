/** Timing tasks against each other: in rotation, so that the machine's other work falls on all. */
import type { Task } from './self-test-tasks.ts';

export interface Clock {
  /** Milliseconds; the self-test's caller may put in its own. */
  readonly now: () => number;
  /** One timing takes at least so long: clocks of browsers are coarse (0.1 … 1 ms). */
  readonly minimumMs: number;
}

/**
 * One task, timed again and again. Code becomes faster while it runs, as engines compile it anew,
 * and a number of calls that was enough is not enough then: the next timing has twice as many.
 */
export class Stopwatch {
  readonly #task: Task;
  readonly #clock: Clock;
  #calls = 1;
  readonly #msPerCall: number[] = [];

  constructor(task: Task, clock: Clock) {
    this.#task = task;
    this.#clock = clock;
  }

  /** Runs the task until one timing is long enough, and forgets it: that was the slow start. */
  async warmUp(): Promise<void> {
    await this.#measure();
  }

  async round(): Promise<void> {
    this.#msPerCall.push(await this.#measure());
  }

  /** The median of the rounds; there was at least one. */
  msPerCall(): number {
    return median(this.#msPerCall);
  }

  async #measure(): Promise<number> {
    const { now, minimumMs } = this.#clock;
    for (;;) {
      const elapsedMs = await time(this.#task, this.#calls, now);
      if (elapsedMs >= minimumMs) return elapsedMs / this.#calls;
      this.#calls *= 2;
    }
  }
}

/** @returns milliseconds that so many calls take */
async function time(task: Task, calls: number, now: () => number): Promise<number> {
  const start = now();
  for (let i = 0; i < calls; i++) {
    const result = task();
    // Awaiting what is already there would cost more than a small message.
    if (result instanceof Promise) await result;
  }
  return now() - start;
}

/** The middle one; of an even number, the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1]!;
}
