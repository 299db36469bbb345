import type { Algorithms, Engine } from '../../src/engine/contract.ts';
import { prepareTask } from '../../src/engine/self-test/tasks.ts';
import { threadsEngine } from '../../src/engine/threads/threads.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { asBytes, type Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { THREADS, WASM_FRESH } from '../names.ts';
import { rowOf } from '../row.ts';
import { ALGORITHMS, SIZES } from './task.ts';

interface Task {
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly bytes: number;
}

/* One thread beside one for each processor, with all copies and messages between threads. */
export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const contenders = [
    contender(WASM_FRESH, await algorithmsOf(wasmSimdEngine(loadWasm))),
    contender(THREADS, await algorithmsOf(threadsEngine(loadWasm))),
  ];
  return ALGORITHMS.flatMap((algorithm) =>
    SIZES.filter((size) => size <= largest).map((bytes) =>
      rowOf({ algorithm, size: bytes, unit: 'B', bytes }, { algorithm, bytes }, contenders),
    ),
  );
};

async function algorithmsOf(engine: Engine): Promise<Algorithms> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  return probe.algorithms;
}

function contender(name: string, algorithms: Algorithms): Contender<Task> {
  return {
    ...{ name, kind: 'ours' },
    prepare: async ({ algorithm, bytes }) => {
      const run = await prepareTask(algorithm, algorithms, bytes);
      return run && { run, bytes: asBytes };
    },
  };
}
