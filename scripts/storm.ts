/*
 * `npm run storm`: the storms at full size, as the issue counts them; npm test runs a sample.
 *
 *   npx tsx scripts/storm.ts [--seed N] [--share 0.01]
 *   npx tsx scripts/storm.ts browsers [--share 0.1] [--only 'many tabs']   (storm-browsers.ts)
 *
 * Prints its seed, and leaves a JSON result in bench/results/.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  chooser,
  corruptions,
  deathsAtEachStep,
  FULL,
  quota,
  randomDeaths,
} from '../test/keys/stress.ts';
import type { StormResult } from '../test/keys/stress.ts';
import { stormBrowsers } from './storm-browsers.ts';

const RESULT = 'bench/results/storm-vault.json';

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, share: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.includes('browsers')) {
  const isCalm = await stormBrowsers(Number(values.share ?? 1), values.only);
  process.exit(isCalm ? 0 : 1);
}
const seed = Number(values.seed ?? Date.now() % 2 ** 32) >>> 0;
const share = Number(values.share ?? 1);
const choose = chooser(seed);
const size = (name: keyof typeof FULL): number => Math.max(1, Math.round(FULL[name] * share));

const STORMS: Readonly<Record<string, () => Promise<StormResult>>> = {
  'deaths at each step': () => deathsAtEachStep(size('deathsAtEach')),
  'deaths at random moments': () => randomDeaths(size('randomDeaths'), choose),
  corruptions: () => corruptions(size('corruptions'), choose),
  'primary store full': () => quota(size('quotaTrials'), 'primary', choose),
  'copy full': () => quota(size('quotaTrials'), 'copy', choose),
};

console.log(`seed ${seed}, share ${share}`);
const started = Date.now();
const results: Record<string, StormResult> = {};
for (const [name, run] of Object.entries(STORMS)) {
  const result = await run();
  results[name] = { ...result, failures: result.failures.slice(0, 100) };
  console.log(`${name}: ${result.trials} trials, ${result.failures.length} failures`);
  for (const failure of result.failures.slice(0, 5)) console.log(`  ${failure}`);
}
const failed = Object.values(results).some(({ failures }) => failures.length > 0);
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown' };
const seconds = Math.round((Date.now() - started) / 1000);
mkdirSync('bench/results', { recursive: true });
writeFileSync(RESULT, `${JSON.stringify({ seed, share, machine, seconds, results }, null, 2)}\n`);
console.log(`${seconds} s; ${RESULT}`);
process.exitCode = failed ? 1 : 0;
