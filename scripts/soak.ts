/*
 * `npm run soak`: mixed calls over the whole service, with kills, locks, clock jumps and full disks.
 * `npm run nightly` runs it; `npm test` runs a few calls (test/service/soak.test.ts).
 *
 *   npx tsx scripts/soak.ts [--calls 100000] [--seed N]
 *
 * Prints its seed. Writes bench/results/soak.json, or soak-quick.json with fewer calls. Fails where
 * anything was lost, or memory grew by more than a tenth.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.mjs';
import { soak } from '../test/service/soak.ts';
import { collectGarbage } from '../test/support/collect-garbage.ts';

const FULL = 100_000;
const MOST_GROWTH_PERCENT = 10;

const { values } = parseArgs({
  options: { calls: { type: 'string', default: String(FULL) }, seed: { type: 'string' } },
});
const calls = Number(values.calls);
const seed = Number(values.seed ?? Date.now() % 2 ** 32) >>> 0;

console.log(`seed ${seed}, ${calls} calls`);
const started = Date.now();
const onSample = (done: number, mib: number) => console.log(`${done} calls, ${mib} MiB`);
const result = await soak({ calls, seed, collect: collectGarbage, onSample });
const seconds = Math.round((Date.now() - started) / 1000);
const { growthPercent } = result.memory;
console.log(`${result.failures.length} failures, memory ${growthPercent} %, ${seconds} s`);
for (const failure of result.failures.slice(0, 10)) console.log(`  ${failure}`);
const path = `bench/results/soak${calls < FULL ? '-quick' : ''}.json`;
const failures = result.failures.slice(0, 100);
const about = { date: new Date().toISOString(), machine: describeMachine(), node: process.version };
mkdirSync('bench/results', { recursive: true });
writeFileSync(
  path,
  `${JSON.stringify({ ...about, seed, seconds, ...result, failures }, null, 2)}\n`,
);
console.log(path);
process.exitCode = result.failures.length > 0 || growthPercent > MOST_GROWTH_PERCENT ? 1 : 0;
