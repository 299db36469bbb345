/*
 * npm run stress:engines -- [--cases N] [--seconds N] [--only NAME]… [--seed TEXT]
 *
 * Random cases of every algorithm that two engines share: js, native, wasm-simd in both variants.
 * 100,000 of each take about an hour, and no algorithm more than ten minutes. The seed is printed;
 * with it, the same cases come again. Writes bench/results/stress-engines.json after each algorithm
 * and keeps the rows of those that did not take part; with fewer cases asked for, the name has
 * -quick in it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { enableRelaxedSimd, loadWasm } from '../../test/support/wasm.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import { contender, sharedAlgorithms, compareEngines } from './stress.ts';
import type { StressRow } from './stress.ts';

interface StressResult {
  readonly suite: 'stress-engines';
  readonly date: string;
  readonly machine: string;
  readonly platform: string;
  readonly rows: readonly StressRow[];
}

/** The project's figure. */
const CASES = 100_000;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: String(CASES) },
    seconds: { type: 'string', default: '600' },
    only: { type: 'string', multiple: true },
    seed: { type: 'string', default: randomBytes(8).toString('hex') },
  },
});
const { seed, only } = values;
const [cases, seconds] = [Number(values.cases), Number(values.seconds)];

enableRelaxedSimd();
const contenders = [
  await contender('js', jsEngine()),
  await contender('native', nativeEngine()),
  await contender('wasm-simd simd', wasmSimdEngine(loadWasm, { variant: 'simd' })),
  await contender('wasm-simd relaxed', wasmSimdEngine(loadWasm, { variant: 'relaxed' })),
];

const path = `bench/results/stress-engines${cases < CASES ? '-quick' : ''}.json`;
mkdirSync('bench/results', { recursive: true });
const last = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as StressResult).rows : [];
const algorithms = sharedAlgorithms(contenders);
const asked = algorithms.filter((algorithm) => only?.includes(algorithm) ?? true);
if (asked.length === 0) throw new RangeError('nothing has that name');

console.log(`seed ${seed}, ${cases.toLocaleString('en')} cases of each algorithm`);
const rows: StressRow[] = [];
for (const algorithm of asked) {
  const start = performance.now();
  const row = await compareEngines(algorithm, contenders, seed, { cases, seconds });
  print(row, performance.now() - start);
  rows.push(row);
  keep();
}
const differing = rows.filter(({ differences }) => differences.length > 0).length;
console.log(`\n${rows.length} algorithms, ${differing} with differences; written to ${path}`);
if (differing > 0) process.exitCode = 1;

function print({ algorithm, engines, differences }: StressRow, ms: number): void {
  const taking = Object.entries(engines).map(([name, count]) => `${name} ${count}`);
  const name = algorithm.padEnd(19);
  const elapsed = Math.round(ms / 1000);
  console.log(`${name} ${differences.length} differences; ${taking.join(', ')}; ${elapsed} s`);
  for (const difference of differences) console.log(`  ${difference}`);
}

/** After each algorithm, so that an interrupted run keeps its results. */
function keep(): void {
  const result: StressResult = {
    suite: 'stress-engines',
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    platform: `Node ${process.version}`,
    rows: algorithms.flatMap(
      (name) => [...rows, ...last].find(({ algorithm }) => algorithm === name) ?? [],
    ),
  };
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
}
