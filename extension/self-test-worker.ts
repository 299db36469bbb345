/*
 * Entry: the self-test in a worker of its own, so that the popup stays alive while it computes.
 */
import { defaultRegistry } from '../src/engine/default-registry.ts';
import { selfTest } from '../src/engine/self-test.ts';
import type { FromWorker, ToWorker } from './ui/self-test-protocol.ts';

const say = (message: FromWorker) => globalThis.postMessage(message);
const cancellation = new AbortController();

async function run(): Promise<void> {
  const { signal } = cancellation;
  try {
    for await (const event of selfTest({ registry: defaultRegistry(), signal })) {
      say(event.type === 'result' ? { type: 'finished' } : event);
    }
  } catch (error) {
    if (signal.aborted) return; // whoever cancelled expects no more
    say({ type: 'failed', message: String(error) });
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') void run();
  else cancellation.abort();
});
