import { SealwrightError, tooBusy } from '../../rpc/errors.ts';
import { FairQueue } from '../../rpc/server/fair-queue.ts';
import type { Later, Timers } from '../../rpc/timers.ts';

/*
 * Work of pages that takes seconds and leaves this thread: in a worker that an abort terminates, or
 * in the browser's own threads. The vault's own derivations do not pass here and never wait for it.
 */

/** How much of it there is at once. */
export const PAGE_WORK = {
  /** Two cores are the least that is expected; memory is that of two derivations. */
  atOnce: 2,
  /** One site leaves a place for others. */
  atOnceOfOrigin: 1,
  /** Waiting, of all origins; more are refused with QUOTA. */
  waiting: 64,
  /** What to suggest then: about the time of two works. */
  retryMs: 2_000,
  /** From its beginning. What a page may ask for takes 2 s on slow cores; this is for a busy machine. */
  deadlineMs: 120_000,
} as const;

/** What the queue is built from. */
export interface PageWorkDeps {
  readonly later: Later;
  readonly timers: Timers;
}

/** Who asks. */
export interface Asking {
  readonly origin: string;
  /** Aborted when the call is: by its page, by a lock or by a revocation. */
  readonly signal: AbortSignal;
}

/**
 * Runs works of pages, a few at once; origins take turns. An abort and the deadline reject the call
 * at once and abort the work's own signal. Its place is free when the work has ended.
 */
export class PageWork {
  readonly #timers: Timers;
  readonly #queue: FairQueue;
  #waiting = 0;

  constructor({ later, timers }: PageWorkDeps) {
    const { atOnce: inAll, atOnceOfOrigin: ofGroup } = PAGE_WORK;
    this.#timers = timers;
    this.#queue = new FairQueue(later, () => performance.now(), { ofGroup, inAll });
  }

  /**
   * @param work ends soon after its signal is aborted, if it can be ended at all
   * @throws the signal's reason; SealwrightError QUOTA where too many wait, INTERNAL at the deadline
   */
  run<T>({ origin, signal }: Asking, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    if (this.#waiting >= PAGE_WORK.waiting) return Promise.reject(tooBusy(PAGE_WORK.retryMs));
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
    const { deadlineMs } = PAGE_WORK;
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

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('Aborted', 'AbortError');
}
