import type { Later } from '../timers.ts';

/**
 * Calls of one group at the same time: one computes while the other waits for the platform. Other
 * groups wait until these have ended, so more of them would cost others more than they gain.
 */
const RUNNING_AT_ONCE = 2;

/** How many pieces of work run at once. */
export interface QueueLimits {
  readonly ofGroup: number;
  readonly inAll: number;
}
const NO_LIMIT_IN_ALL: QueueLimits = { ofGroup: RUNNING_AT_ONCE, inAll: Infinity };

/** How many ms of work may be done before the event loop delivers the messages that came meanwhile. */
const TURN_MS = 0.3;

/** Begins a piece of work, which calls `leave`, once, when it has ended. */
export type Start = (leave: () => void) => void;

/** One that waits. */
interface Work {
  readonly start: Start;
}

interface Group {
  /** In order. */
  readonly waiting: Set<Work>;
  running: number;
}

/**
 * Shares one thread among many callers. Groups take turns, so a group with many calls delays its own
 * calls only. Work begins at once when no other work is waiting.
 */
export class FairQueue {
  readonly #later: Later;
  readonly #nowMs: () => number;
  readonly #limits: QueueLimits;
  /** Ordered by when their last work began. */
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #turnBegan = 0;
  #isPaused = false;
  #holds = 0;
  #isWorking = false;

  /** @param nowMs a clock with fractions of milliseconds */
  constructor(
    later: Later,
    nowMs: () => number = () => performance.now(),
    limits: QueueLimits = NO_LIMIT_IN_ALL,
  ) {
    this.#later = later;
    this.#nowMs = nowMs;
    this.#limits = limits;
  }

  /** @returns withdraws the work, unless it has begun; then it says so with false */
  add(name: string, start: Start): () => boolean {
    const group = this.#groups.get(name) ?? { waiting: new Set(), running: 0 };
    const work = { start };
    group.waiting.add(work);
    this.#groups.set(name, group);
    if (this.#running === 0 && !this.#isPaused) this.#turnBegan = this.#nowMs();
    this.#work();
    return () => {
      const isWithdrawn = group.waiting.delete(work);
      if (isWithdrawn) this.#forgetIdle(name, group);
      return isWithdrawn;
    };
  }

  #forgetIdle(name: string, { running, waiting }: Group): void {
    if (running === 0 && waiting.size === 0) this.#groups.delete(name);
  }

  /**
   * Begins no more work until every hold has been released; work that has begun goes on.
   *
   * @returns releases this hold; a second call does nothing
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

  /** Work may end synchronously and call this again: the outer loop then goes on. */
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

  /** The group with work waiting and the fewest calls running; among equals, the first. */
  #next(): readonly [string, Group] | undefined {
    let least: readonly [string, Group] | undefined;
    let leastRunning = this.#limits.ofGroup;
    if (this.#running >= this.#limits.inAll) return undefined;
    for (const entry of this.#groups) {
      const { waiting, running } = entry[1];
      if (waiting.size === 0 || running >= leastRunning) continue;
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
    const [work] = group.waiting;
    group.waiting.delete(work!);
    group.running++;
    this.#running++;
    this.#groups.delete(name);
    this.#groups.set(name, group);
    let hasLeft = false;
    work!.start(() => {
      if (hasLeft) return;
      hasLeft = true;
      this.#left(name, group);
    });
  }

  #left(name: string, group: Group): void {
    group.running--;
    this.#running--;
    this.#forgetIdle(name, group);
    this.#work();
  }
}
