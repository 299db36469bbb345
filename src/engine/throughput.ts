/** Timing tasks against each other: in rotation, so that the machine's other work falls on all. */
import type { Task } from './self-test-tasks.ts';

export interface Clock {
  /** Milliseconds; the self-test's caller may put in its own. */
  readonly now: () => number;
  /** One timing takes at least so long: clocks of browsers are coarse (0.1 … 1 ms). */
  readonly minimumMs: number;
}

/** How often the task has to run for one timing. Warms it up on the way. */
export async function calibrate(task: Task, clock: Clock): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    const elapsedMs = await time(task, calls, clock.now);
    if (elapsedMs >= clock.minimumMs) return calls;
  }
}

/** @returns milliseconds that so many calls take */
export async function time(task: Task, calls: number, now: () => number): Promise<number> {
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
