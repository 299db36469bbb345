/** The two timer functions; handed in, so that tests and a page's captured ones can take their place. */
export interface Timers {
  start(work: () => void, delayMs: number): unknown;
  stop(timer: unknown): void;
}

export const SYSTEM_TIMERS: Timers = {
  start: (work, delayMs) => setTimeout(work, delayMs),
  stop: (timer) => clearTimeout(timer as number),
};
