/*
 * npm run storm:engines -- [--cases N] [--seconds N] [--only NAME]… [--seed TEXT]
 *
 * Random cases of every algorithm that two engines share: js, native, wasm-simd in both variants.
 * 100,000 of each take about an hour, and no algorithm more than ten minutes. The seed is printed;
 * with it, the same cases come again. Writes bench/results/storm-engines.json if all algorithms took
 * part; with fewer cases asked for, the name has -quick in it.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { jsEngine } from '../../src/engine/js.ts';
import { nativeEngine } from '../../src/engine/native.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { enableRelaxedSimd, loadWasm } from '../../test/support/wasm.ts';
import { describeMachine } from '../machine.ts';
import { contender, sharedAlgorithms, storm } from './storm.ts';
import type { StormRow } from './storm.ts';

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
  await contender('wasm-simd simd', wasmSimdEngine(loadWasm, 'simd')),
  await contender('wasm-simd relaxed', wasmSimdEngine(loadWasm, 'relaxed')),
];

console.log(`seed ${seed}, ${cases.toLocaleString('en')} cases of each algorithm`);
const rows: StormRow[] = [];
for (const algorithm of sharedAlgorithms(contenders)) {
  if (only?.includes(algorithm) === false) continue;
  const start = performance.now();
  const row = await storm(algorithm, contenders, seed, { cases, seconds });
  rows.push(row);
  const took = Math.round((performance.now() - start) / 1000);
  const taking = Object.entries(row.engines).map(([name, count]) => `${name} ${count}`);
  console.log(
    `${algorithm.padEnd(19)} ${row.differences.length} differences; ${taking.join(', ')}; ${took} s`,
  );
  for (const difference of row.differences) console.log(`  ${difference}`);
}
if (rows.length === 0) throw new RangeError('nothing has that name');

const differing = rows.filter(({ differences }) => differences.length > 0).length;
console.log(`\n${rows.length} algorithms, ${differing} with differences`);
if (only === undefined) {
  const date = new Date().toISOString().slice(0, 10);
  const platform = `Node ${process.version}`;
  const result = { suite: 'storm', date, machine: describeMachine(), platform, seed, cases, rows };
  const path = `bench/results/storm-engines${cases < CASES ? '-quick' : ''}.json`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
  console.log(`Written to ${path}`);
}
if (differing > 0) process.exitCode = 1;
