import type { Later } from '../../../src/rpc/timers.ts';

/**
 * Runs work in a later task, after the messages that have arrived by then. It posts messages on a
 * MessageChannel, because nested timers wait for at least 4 ms (HTML, section 8.6).
 */
export function laterTasks(): Later {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return (work) => {
    waiting.push(work);
    port2.postMessage(null);
  };
}
