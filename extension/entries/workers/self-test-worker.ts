/*
 * Entry: the self-test in a worker, so that the popup stays responsive.
 */
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import { selfTest } from '../../../src/engine/self-test/self-test.ts';
import { toRows, measuredThresholds } from '../../../src/engine/thresholds.ts';
import { packagedWasm } from '../../platform/workers/engine-wasm.ts';
import type { FromWorker, ToWorker } from '../../ui/environment/self-test-protocol.ts';

const say = (message: FromWorker) => globalThis.postMessage(message);
const cancellation = new AbortController();
/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;

async function run(): Promise<void> {
  const { signal } = cancellation;
  try {
    const registry = defaultRegistry({ loadWasm: packagedWasm(getUrl) });
    for await (const event of selfTest({ registry, signal })) {
      if (event.type !== 'result') say(event);
      else say({ type: 'finished', thresholds: toRows(measuredThresholds(event.result.speeds)) });
    }
  } catch (error) {
    if (signal.aborted) return; // after a cancellation no message is expected
    say({ type: 'failed', message: String(error) });
  }
}

/** The engines and their algorithms, without a test of any. */
async function listEngines(): Promise<void> {
  const registry = defaultRegistry({ loadWasm: packagedWasm(getUrl) });
  await registry.ready();
  for (const absent of registry.absent()) say({ type: 'absent', ...absent });
  const engines = registry.available();
  const algorithms = new Set(engines.flatMap((name) => Object.keys(registry.algorithmsOf(name))));
  const rows = [...algorithms].sort().map((algorithm) => ({
    algorithm,
    engines: engines.filter((name) => Object.hasOwn(registry.algorithmsOf(name), algorithm)),
  }));
  say({ type: 'engines', engines, rows });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') void run();
  else if (data.type === 'engines') void listEngines();
  else cancellation.abort();
});
