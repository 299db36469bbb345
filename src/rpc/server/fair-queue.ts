import type { Later } from '../timers.ts';

/**
 * Of one group at the same time: one computes while the other waits for the platform. Whoever comes
 * meanwhile has to let these end, so more would cost others more than they gain.
 */
const RUNNING_AT_ONCE = 2;

/** How long work may follow on work before messages that came meanwhile are let in. */
const TURN_MS = 0.3;

/** Begins a piece of work, which calls `leave`, once, when it has ended or was given up. */
export type Start = (leave: () => void) => void;

interface Group {
  waiting: Start[];
  running: number;
}

/**
 * One thread's work for many callers: each group in turn, so that whoever asks for much waits
 * behind himself. While nobody waits, work begins at once.
 */
export class FairQueue {
  readonly #later: Later;
  readonly #nowMs: () => number;
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #turnBegan = 0;
  #isPaused = false;
  #holds = 0;
  #isWorking = false;

  /** @param nowMs a clock with fractions of milliseconds */
  constructor(later: Later, nowMs: () => number = () => performance.now()) {
    this.#later = later;
    this.#nowMs = nowMs;
  }

  add(name: string, start: Start): void {
    const group = this.#groups.get(name) ?? { waiting: [], running: 0 };
    group.waiting.push(start);
    this.#groups.set(name, group);
    if (this.#running === 0 && !this.#isPaused) this.#turnBegan = this.#nowMs();
    this.#work();
  }

  /**
   * Begins nothing until the last of those who hold it has let go; what is under way goes on.
   *
   * @returns what lets go; called again, it does nothing
   */
  hold(): () => void {
    this.#holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.#work();
    };
  }

  /** Work that ends while it begins comes back here: the loop below goes on, and none within it. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      this.#beginInTurn();
    } finally {
      this.#isWorking = false;
    }
  }

  #beginInTurn(): void {
    while (!this.#isPaused && this.#holds === 0) {
      const next = this.#next();
      if (!next) return;
      if (this.#nowMs() - this.#turnBegan >= TURN_MS) this.#pause();
      else this.#begin(...next);
    }
  }

  /** Of the groups that have work the one with the least under way, and of those the first. */
  #next(): readonly [string, Group] | undefined {
    let least: readonly [string, Group] | undefined;
    let leastRunning = RUNNING_AT_ONCE;
    for (const entry of this.#groups) {
      const { waiting, running } = entry[1];
      if (waiting.length === 0 || running >= leastRunning) continue;
      least = entry;
      leastRunning = running;
    }
    return least;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#later(() => {
      this.#isPaused = false;
      this.#turnBegan = this.#nowMs();
      this.#work();
    });
  }

  #begin(name: string, group: Group): void {
    const start = group.waiting.shift()!;
    group.running++;
    this.#running++;
    this.#groups.delete(name);
    this.#groups.set(name, group);
    let hasLeft = false;
    start(() => {
      if (hasLeft) return;
      hasLeft = true;
      this.#left(name, group);
    });
  }

  #left(name: string, group: Group): void {
    group.running--;
    this.#running--;
    if (group.running === 0 && group.waiting.length === 0) this.#groups.delete(name);
    this.#work();
  }
}
