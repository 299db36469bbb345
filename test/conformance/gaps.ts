import { GapError } from './subject.ts';
import type { Subject } from './subject.ts';

/**
 * Wraps the check of a vector. Vectors that the subject reports as gaps are counted, not failed, and the
 * count is printed at the end of the suite. `auto` must have none.
 */
export class Gaps {
  private readonly subject: Subject;
  private readonly counts = new Map<string, number>();
  private taken = 0;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  check<T>(check: (vector: T) => Promise<unknown>): (vector: T) => Promise<void> {
    return async (vector) => {
      try {
        await check(vector);
        this.taken += 1;
      } catch (error) {
        if (!(error instanceof GapError) || this.subject.title === 'subtle over auto') throw error;
        this.counts.set(error.message, (this.counts.get(error.message) ?? 0) + 1);
      }
    };
  }

  /** Call it in `after`. */
  report(): void {
    const left = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    const out = left === 0 ? '' : `, ${left} in gaps (${this.counts.size} kinds)`;
    console.log(`        ${this.subject.title}: ${this.taken} vectors hold${out}`);
  }
}

/** True if the input was refused because it does not verify or is invalid. */
export async function refused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof GapError) throw error;
    const { name } = error as Error;
    if (name === 'AuthenticationError' || name === 'OperationError') return true;
    if (name === 'RangeError' || name === 'DataError') return true;
    throw error;
  }
}
