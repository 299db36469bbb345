import { isSafeInteger, SafeMap } from '../../../src/rpc/primordials.ts';

/** Delivers messages in the order of the numbers that their sender gave them: 0, 1, 2, … */
export class ReorderBuffer {
  readonly #give: (message: unknown) => void;
  readonly #early = new SafeMap<number, unknown>();
  #next = 0;

  constructor(give: (message: unknown) => void) {
    this.#give = give;
  }

  /** Whether the first `count` messages have been given out. */
  isComplete(count: unknown): boolean {
    return count === this.#next;
  }

  /** Drops messages whose number is not an integer or was already delivered. */
  take(turn: unknown, message: unknown): void {
    if (!isSafeInteger(turn) || (turn as number) < this.#next) return;
    this.#early.set(turn as number, message);
    while (this.#early.has(this.#next)) {
      const next = this.#early.get(this.#next);
      this.#early.delete(this.#next++);
      this.#give(next);
    }
  }
}
