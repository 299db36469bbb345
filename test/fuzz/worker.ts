/*
 * The thread in which `npm run fuzz` searches. The other thread has the input that is being run in
 * shared memory, so that it knows which one never returned, or ended the process.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { corpusFile, foundFile, readInputs, writeInputs } from './corpus.ts';
import { onThread } from './platform-on-thread.ts';
import { Search } from './search.ts';
import { TARGETS } from './targets.ts';
import { bytesIn } from './target.ts';
import { signatureOf } from './trial.ts';

/** What the other thread hands over. */
export interface Task {
  readonly target: string;
  readonly seconds: number;
  readonly mostSeconds: number;
  /** At least so many, unless they would take longer than `mostSeconds`. */
  readonly executions: number;
  readonly seed: string;
  /** Numbers of the branches of the target's files. */
  readonly numbers: readonly number[];
  /** Literals of the target's files. */
  readonly words: readonly string[];
  /** Counter u32, length u32, input. */
  readonly shared: SharedArrayBuffer;
}

/** Inputs between two looks at the clock and at the event loop. */
const SLICE = 200;
const PROGRESS_MS = 5_000;

const counts = (globalThis as unknown as { __branches: Uint32Array }).__branches;
const task = workerData as Task;
const port = parentPort!;

async function main(): Promise<void> {
  const { subtle } = globalThis.crypto;
  Object.defineProperty(globalThis.crypto, 'subtle', { value: onThread(subtle) });
  const target = TARGETS.find(({ name }) => name === task.target)!;
  const words = [...new Set([...task.words, ...(target.words ?? [])])].map(bytesIn);
  const [counter, bytes] = [new Uint32Array(task.shared, 0, 2), new Uint8Array(task.shared, 8)];
  const search = new Search(target, {
    branches: { counts, numbers: task.numbers },
    seed: task.seed,
    words,
    onInput(input) {
      bytes.set(input.subarray(0, bytes.length));
      Atomics.store(counter, 1, Math.min(input.length, bytes.length));
      Atomics.add(counter, 0, 1);
    },
    onFinding: (input, error) =>
      port.postMessage({
        kind: 'finding',
        input,
        signature: signatureOf(error),
        stack: error instanceof Error ? error.stack : String(error),
      }),
  });
  process.on('unhandledRejection', (error) => {
    const stack = error instanceof Error ? error.stack : String(error);
    const input = bytes.slice(0, counter[1]);
    port.postMessage({ kind: 'finding', input, signature: `left: ${signatureOf(error)}`, stack });
  });
  const seeds = await target.seeds();
  const given = [...seeds, ...readInputs(foundFile(target.name))];
  for (const input of [...given, ...readInputs(corpusFile(target.name))]) await search.try(input);
  if (search.size === 0) throw new Error(`${target.name}: every seed is a finding`);

  const takenBefore = search.taken;
  const begun = performance.now();
  let shown = begun;
  for (;;) {
    const now = performance.now();
    const seconds = (now - begun) / 1000;
    const isEnough = search.executions >= task.executions || seconds >= task.mostSeconds;
    if (seconds >= task.seconds && isEnough) break;
    if (now - shown >= PROGRESS_MS) {
      shown = now;
      port.postMessage({ kind: 'progress', ...figures(search, now - begun) });
    }
    for (let i = 0; i < SLICE; i++) await search.step();
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Only where something was gained: else each run would exchange inputs for others of the same use.
  const before = readInputs(corpusFile(target.name));
  const corpus = search.taken > takenBefore ? search.smallest(given) : before;
  if (corpus !== before) writeInputs(corpusFile(target.name), corpus);
  const ms = performance.now() - begun;
  const { missing } = search;
  port.postMessage({ kind: 'done', ...figures(search, ms), corpus: corpus.length, missing });
}

function figures(search: Search, ms: number) {
  const { executions, taken, size } = search;
  return { executions, ms, taken, of: task.numbers.length, kept: size };
}

await main();
