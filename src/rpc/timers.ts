/** Timer functions, as a parameter: tests and pages use others than the platform's present ones. */
export interface Timers {
  start(work: () => void, delayMs: number): unknown;
  stop(timer: unknown): void;
}

/** Runs its argument in a later task, after the messages that have arrived by then. */
export type Later = (work: () => void) => void;

/** The next task, by a timer. */
export const SYSTEM_LATER: Later = (work) => setTimeout(work, 0);

/** By messages on a MessageChannel, because nested timers wait for at least 4 ms (HTML, section 8.6). */
export function laterByMessages(): Later {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return (work) => {
    waiting.push(work);
    port2.postMessage(null);
  };
}

/** The timers of the platform. */
export const SYSTEM_TIMERS: Timers = {
  start: (work, delayMs) => setTimeout(work, delayMs),
  stop: (timer) => clearTimeout(timer as number),
};
