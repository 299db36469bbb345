import type { Algorithms, Engine } from '../../src/engine/contract.ts';
import { prepareTask } from '../../src/engine/self-test/tasks.ts';
import { threadsEngine } from '../../src/engine/threads/threads.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { asBytes, type Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { THREADS, WASM_FRESH } from '../names.ts';
import { rowOf } from '../row.ts';
import { pattern } from '../pattern.ts';
import { argon2Row, type Argon2Task } from '../hashes/task.ts';
import { ALGORITHMS, ARGON2_COST, SIZES } from './task.ts';

interface Task {
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly bytes: number;
}

/* One thread beside one for each processor, with all copies and messages between threads. */
export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const both = [
    [WASM_FRESH, await algorithmsOf(wasmSimdEngine(loadWasm))],
    [THREADS, await algorithmsOf(threadsEngine(loadWasm))],
  ] as const;
  const contenders = both.map(([name, algorithms]) => contender(name, algorithms));
  const messages = ALGORITHMS.flatMap((algorithm) =>
    SIZES.filter((size) => size <= largest).map((bytes) =>
      rowOf({ algorithm, size: bytes, unit: 'B', bytes }, { algorithm, bytes }, contenders),
    ),
  );
  // In a page that is not isolated, threads share no memory.
  const isShared = both.every(([, { Argon2id }]) => Argon2id !== undefined);
  if (ARGON2_COST.memoryKiB > largest || !isShared) return messages;
  const task = { cost: ARGON2_COST, password: pattern(12, 3), salt: pattern(16, 9), length: 32 };
  const derivers = both.map(([name, algorithms]) => deriver(name, algorithms));
  return [...messages, rowOf({ ...argon2Row(ARGON2_COST), bytes: 0 }, task, derivers)];
};

async function algorithmsOf(engine: Engine): Promise<Algorithms> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  return probe.algorithms;
}

function contender(name: string, algorithms: Algorithms): Contender<Task> {
  return {
    name,
    kind: 'ours',
    prepare: async ({ algorithm, bytes }) => {
      const run = await prepareTask(algorithm, algorithms, bytes);
      return run && { run, bytes: asBytes };
    },
  };
}

function deriver(name: string, { Argon2id }: Algorithms): Contender<Argon2Task> {
  const [secret, associatedData] = [new Uint8Array(0), new Uint8Array(0)];
  return {
    name,
    kind: 'ours',
    prepare: ({ cost, password, salt: nonce, length }) => {
      const params = { ...cost, nonce, secret, associatedData };
      return { run: () => Argon2id!.derive(password, params, length), bytes: asBytes };
    },
  };
}
