/*
 * `npm run stress`: the stress tests at full size. `npm run nightly` runs a tenth.
 *
 *   npx tsx scripts/stress.ts [--seed N] [--share 0.01]
 *   npx tsx scripts/stress.ts browsers [--share 0.1] [--only 'many tabs']   (stress-browsers.ts)
 *
 * Prints its seed, and leaves a JSON result in bench/results/ when it ran at full size.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { forgeries } from '../test/keys/forgeries.ts';
import {
  chooser,
  corruptions,
  deathsAtEachStep,
  FULL,
  quota,
  randomDeaths,
} from '../test/keys/stress.ts';
import type { StressResult } from '../test/keys/stress.ts';
import { stressBrowsers } from './stress-browsers.ts';

const RESULT = 'bench/results/stress-vault.json';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, share: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.includes('browsers')) {
  const hasPassed = await stressBrowsers(Number(values.share ?? 1), values.only);
  process.exit(hasPassed ? 0 : 1);
}
const seed = Number(values.seed ?? Date.now() % 2 ** 32) >>> 0;
const share = Number(values.share ?? 1);
const choose = chooser(seed);
const size = (name: keyof typeof FULL): number => Math.max(1, Math.round(FULL[name] * share));

const TESTS: Readonly<Record<string, () => Promise<StressResult>>> = {
  'deaths at each step': () => deathsAtEachStep(size('deathsAtEach')),
  'deaths at random moments': () => randomDeaths(size('randomDeaths'), choose),
  corruptions: () => corruptions(size('corruptions'), choose),
  'forged values': () => forgeries(size('forgeries'), choose),
  'primary store full': () => quota(size('quotaTrials'), 'primary', choose),
  'copy full': () => quota(size('quotaTrials'), 'copy', choose),
};

console.log(`seed ${seed}, share ${share}`);
const started = Date.now();
const results: Record<string, StressResult> = {};
for (const [name, run] of Object.entries(TESTS)) {
  const result = await run();
  results[name] = { ...result, failures: result.failures.slice(0, 100) };
  console.log(`${name}: ${result.trials} trials, ${result.failures.length} failures`);
  for (const failure of result.failures.slice(0, 5)) console.log(`  ${failure}`);
}
const failed = Object.values(results).some(({ failures }) => failures.length > 0);
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown' };
const seconds = Math.round((Date.now() - started) / 1000);
console.log(`${seconds} s`);
if (share === 1) {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify({ seed, share, machine, seconds, results }, null, 2)}\n`);
  console.log(RESULT);
}
process.exitCode = failed ? 1 : 0;
