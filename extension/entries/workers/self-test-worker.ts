/*
 * Entry: the self-test in a worker, so that the popup stays responsive.
 */
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import type { Registry } from '../../../src/engine/registry.ts';
import { selfTest } from '../../../src/engine/self-test/self-test.ts';
import { toRows, measuredThresholds } from '../../../src/engine/thresholds.ts';
import type { Thresholds, ThresholdRow } from '../../../src/engine/thresholds.ts';
import { breakEven } from '../../../src/engine/webgpu/webgpu.ts';
import { cardsIf } from '../../platform/workers/cards.ts';
import { packagedWasm } from '../../platform/workers/engine-wasm.ts';
import type { FromWorker, ToWorker } from '../../ui/environment/self-test-protocol.ts';

const say = (message: FromWorker) => globalThis.postMessage(message);
const cancellation = new AbortController();
/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;

/** @param cards whether the user has switched the graphics card on */
function registryOf(cards: boolean): Registry {
  return defaultRegistry({
    loadWasm: packagedWasm(getUrl),
    cards: cardsIf(() => Promise.resolve(cards)),
  });
}

async function run(cards: boolean): Promise<void> {
  const { signal } = cancellation;
  const registry = registryOf(cards);
  try {
    for await (const event of selfTest({ registry, signal })) {
      if (event.type !== 'result') say(event);
      else {
        const thresholds = measuredThresholds(event.result.speeds);
        say({ type: 'finished', thresholds: await withCards(registry, thresholds) });
      }
    }
  } catch (error) {
    if (signal.aborted) return; // after a cancellation no message is expected
    say({ type: 'failed', message: String(error) });
  } finally {
    registry.close();
  }
}

/** With what only longer messages tell: from which length on a card is faster, all transfers included. */
async function withCards(registry: Registry, measured: Thresholds): Promise<ThresholdRow[]> {
  const cards = (['webgpu', 'webgl'] as const).filter((name) =>
    registry.available().includes(name),
  );
  registry.useThresholds(measured);
  const rows = toRows(measured).filter(({ engine }) => !cards.some((card) => card === engine));
  for (const card of cards) {
    const found = toRows(await breakEven(registry, card));
    rows.push(...found.filter(({ engine }) => engine === card));
  }
  return rows;
}

/** The engines and their algorithms, without a test of any. */
async function listEngines(cards: boolean): Promise<void> {
  const registry = registryOf(cards);
  await registry.ready();
  for (const absent of registry.absent()) say({ type: 'absent', ...absent });
  const engines = registry.available();
  const algorithms = new Set(engines.flatMap((name) => Object.keys(registry.algorithmsOf(name))));
  const rows = [...algorithms].sort().map((algorithm) => ({
    algorithm,
    engines: engines.filter((name) => Object.hasOwn(registry.algorithmsOf(name), algorithm)),
  }));
  say({ type: 'engines', engines, rows });
  registry.close();
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') void run(data.cards);
  else if (data.type === 'engines') void listEngines(data.cards);
  else cancellation.abort();
});
