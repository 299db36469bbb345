import type { Later } from '../../../src/rpc/timers.ts';

/**
 * A later task, behind the messages that have arrived by then. A MessageChannel's messages wait for
 * nothing, whereas timers set by timers wait for at least 4 ms (HTML, section 8.6).
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
