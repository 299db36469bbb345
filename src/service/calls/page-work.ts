import { SealwrightError, tooBusy } from '../../rpc/errors.ts';
import { FairQueue } from '../../rpc/server/fair-queue.ts';
import type { Later, Timers } from '../../rpc/timers.ts';
import { reasonOf } from './in-flight.ts';

/*
 * Work of pages that leaves this thread: in a worker that an abort terminates. The vault's own derivations do not pass
 * here and never wait for it.
 */

/** How much work there is at once. */
export interface PageWorkLimits {
  readonly atOnce: number;
  readonly atOnceOfOrigin: number;
  /** Waiting, of all origins; more are refused with QUOTA. */
  readonly waiting: number;
  /** What to suggest then. */
  readonly retryMs: number;
  /** From its beginning. */
  readonly deadlineMs: number;
}

/** Work that takes seconds. */
export const PAGE_WORK: PageWorkLimits = {
  /** Two cores are the least that is expected; memory is that of two derivations. */
  atOnce: 2,
  /** One site leaves a place for others. */
  atOnceOfOrigin: 1,
  waiting: 64,
  /** About the time of two works. */
  retryMs: 2_000,
  /** What a page may ask for takes 2 s on slow cores; this is for a busy machine. */
  deadlineMs: 120_000,
};

/** Work of milliseconds, beside that. */
export const SHORT_PAGE_WORK: PageWorkLimits = {
  /** Each has a worker: about 20 MB. */
  atOnce: 4,
  /** One after another in one worker is as fast. */
  atOnceOfOrigin: 1,
  /** Far more than pages have under way: each holds its data only. */
  waiting: 4096,
  retryMs: 500,
  /** Of a worker that hangs. Messages of 16 MiB take a second in the slowest ciphers. */
  deadlineMs: 30_000,
};

/** What the queue is built from. */
export interface PageWorkDeps {
  readonly later: Later;
  readonly timers: Timers;
}

/** Who asks. */
export interface Asking {
  readonly origin: string;
  /** Aborted when the work is to end: by its page, by a lock or by a revocation. */
  readonly signal: AbortSignal;
}

/**
 * Runs works of pages, a few at once; origins take turns. An abort and the deadline reject the call
 * at once and abort the work's own signal. Its place is free when the work has ended.
 */
export class PageWork {
  readonly #timers: Timers;
  readonly #limits: PageWorkLimits;
  readonly #queue: FairQueue;
  #waiting = 0;

  constructor({ later, timers }: PageWorkDeps, limits: PageWorkLimits = PAGE_WORK) {
    const { atOnce: inAll, atOnceOfOrigin: ofGroup } = limits;
    this.#timers = timers;
    this.#limits = limits;
    this.#queue = new FairQueue(later, () => performance.now(), { ofGroup, inAll });
  }

  /**
   * @param work ends soon after its signal is aborted, if it can be ended at all
   * @throws the signal's reason; SealwrightError QUOTA where too many wait, INTERNAL at the deadline
   */
  run<T>({ origin, signal }: Asking, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    const { waiting, retryMs } = this.#limits;
    if (this.#waiting >= waiting) return Promise.reject(tooBusy(retryMs));
    const ending = new AbortController();
    const end = (): void => ending.abort(reasonOf(signal));
    signal.addEventListener('abort', end);
    const result = new Promise<T>((resolve, reject) => {
      this.#waiting++;
      const withdraw = this.#queue.add(origin, (leave) => {
        this.#waiting--;
        this.#inTime(ending, work).finally(leave).then(resolve, reject);
      });
      ending.signal.addEventListener('abort', () => {
        if (withdraw()) this.#waiting--;
        reject(reasonOf(ending.signal));
      });
    });
    return result.finally(() => signal.removeEventListener('abort', end));
  }

  async #inTime<T>(ending: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { deadlineMs } = this.#limits;
    const message = `The work took longer than ${deadlineMs / 1000} s and was stopped`;
    const stop = (): void => ending.abort(new SealwrightError('INTERNAL', message));
    const timer = this.#timers.start(stop, deadlineMs);
    try {
      return await work(ending.signal);
    } finally {
      this.#timers.stop(timer);
    }
  }
}
