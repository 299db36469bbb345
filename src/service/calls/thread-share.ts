import type { InTurn } from '../../engine/native/native-crypto.ts';
import type { Call } from '../../rpc/call.ts';
import type { Later, Timers } from '../../rpc/timers.ts';
import { pageCall } from './caller.ts';
import { PageWork, type Asking, type PageWorkLimits } from './page-work.ts';

/** Less data takes less than a turn of the queue of calls (src/rpc/server/fair-queue.ts), and waits for nothing here. */
export const UNPACED_BYTES = 64 * 1024;

/** Shorter works are followed by the messages that wait and no rest: timers may take as long. */
export const REST_FROM_MS = 4;

const TURNS: PageWorkLimits = {
  /** What blocks the thread gains nothing from another beside it. */
  atOnce: 1,
  atOnceOfOrigin: 1,
  /** Far more than the queue of calls lets in. */
  waiting: 4096,
  retryMs: 500,
  /** Of a turn with its rest, which take as long as each other. */
  deadlineMs: 30_000,
};

/** What the share is built from. */
export interface ThreadShareDeps {
  readonly later: Later;
  readonly timers: Timers;
  /** A clock with fractions of milliseconds, the one of `timers`. */
  readonly nowMs: () => number;
}

/**
 * The share that pages' bytes have of the one thread on which all callers are answered. Chromium's WebCrypto blocks the thread
 * that asks for it, for some ns a byte, and a page may ask without end. So one such work of all pages begins at a time,
 * origins take turns, and after it none begins for as long as the thread was blocked: together they take at most half of
 * the thread, whatever pages send, and none is refused. Where the platform has threads for it, as in Firefox, a work
 * blocks for next to nothing, and many run at once.
 */
export class ThreadShare {
  readonly #deps: ThreadShareDeps;
  readonly #turns: PageWork;
  /** In ms: for how long works have blocked the thread, less the time since in which none did. */
  #owedMs = 0;
  #lastEnded = 0;

  constructor(deps: ThreadShareDeps) {
    this.#deps = deps;
    this.#turns = new PageWork(deps, TURNS);
  }

  /**
   * @param bytes that the work reads or makes
   * @param begin what it does until it returns counts; what it promises may take any time
   * @throws what the work throws; the signal's reason where it fires before the work's turn
   */
  run<T>(asking: Asking, bytes: number, begin: () => Promise<T>): Promise<T> {
    if (bytes <= UNPACED_BYTES) return begin();
    return new Promise((resolve, reject) => {
      const turn = (): Promise<void> => this.#turn(() => resolve(begin()));
      this.#turns.run(asking, turn).catch(reject);
    });
  }

  /** The turns of a call, for engines that work piece by piece. @param ended what ends the work; absent: the call */
  turnsOf(call: Call, ended: Pick<Asking, 'signal'> = call): InTurn {
    return (bytes, begin) => {
      // A signal is made where it is read.
      if (bytes <= UNPACED_BYTES) return begin();
      return this.run({ origin: pageCall(call).origin, signal: ended.signal }, bytes, begin);
    };
  }

  /** Ends when the next work may begin. */
  async #turn(begin: () => void): Promise<void> {
    const { later, timers, nowMs } = this.#deps;
    const began = nowMs();
    begin();
    const ended = nowMs();
    this.#owedMs = Math.max(0, this.#owedMs - (began - this.#lastEnded)) + (ended - began);
    this.#lastEnded = ended;
    const restMs = this.#owedMs;
    if (restMs < REST_FROM_MS) await new Promise<void>((resume) => later(resume));
    else await new Promise<void>((resume) => timers.start(resume, restMs));
  }
}
