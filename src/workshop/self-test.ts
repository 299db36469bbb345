import { defaultRegistry } from '../engine/default-engines.ts';
import type { Registry } from '../engine/registry.ts';
import { selfTest } from '../engine/self-test/self-test.ts';
import { measuredThresholds, toRows } from '../engine/thresholds.ts';
import type { ThresholdRow, Thresholds } from '../engine/thresholds.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import { breakEven } from '../engine/webgpu/webgpu.ts';
import { cardsIf } from './cards.ts';
import type { Group } from './contract.ts';

/** The self-test, and what the engines have, for the views that show it. */
export function operations(loadWasm: LoadWasm): Group<'selfTest'> {
  /** @param cards whether the user has switched the graphics card on */
  const registryOf = (cards: boolean): Registry =>
    defaultRegistry({ loadWasm, cards: cardsIf(() => Promise.resolve(cards)) });
  return {
    async 'selfTest.run'({ params }, report) {
      const registry = registryOf(params.cards);
      let thresholds: readonly ThresholdRow[] = [];
      try {
        for await (const event of selfTest({ registry })) {
          if (event.type !== 'result') report(event);
          else thresholds = await withCards(registry, measuredThresholds(event.result.speeds));
        }
        return { thresholds: [...thresholds] };
      } finally {
        registry.close();
      }
    },
    /** The engines and their algorithms, without a test of any. */
    async 'selfTest.engines'({ params }) {
      const registry = registryOf(params.cards);
      await registry.ready();
      const absent = registry.absent().map((one) => ({ type: 'absent' as const, ...one }));
      const engines = registry.available();
      const of = engines.map((name) => [name, registry.algorithmsOf(name)] as const);
      const algorithms = [...new Set(of.flatMap(([, own]) => Object.keys(own)))].sort();
      const rows = algorithms.map((algorithm) => ({
        algorithm,
        engines: of.flatMap(([name, own]) => (Object.hasOwn(own, algorithm) ? name : [])),
      }));
      registry.close();
      return { absent, engines: [...engines], rows };
    },
  };
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
