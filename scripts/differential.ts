/*
 * npm run differential -- [--cases N] [--seed TEXT] [--nodes] [--browsers]
 *
 * Random calls of `subtle`, right and wrong (test/cross/differential.ts): the same bytes, or the same error, under every
 * engine. With `--nodes` in every line of Node that is supported too, and with `--browsers` in both browsers, each beside
 * this one. The seed is printed; with it, the same cases come again. Writes bench/results/differential.json, or
 * differential-platforms.json, with the number of cases of all runs. 450 cases take a second of one processor.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  fromJson,
  pairKeys,
  platformDifferences,
  runCases,
  subtlesOf,
  toJson,
  type Difference,
} from '../test/cross/differential.ts';
import { installNode, nodeIn, NODES } from '../test/support/other-nodes.ts';
import { loadWasm } from '../test/support/wasm.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: randomBytes(8).toString('hex') },
    nodes: { type: 'boolean', default: false },
    browsers: { type: 'boolean', default: false },
    // Of a run in another Node: the folder with keys.json, to which it writes outcomes.json.
    in: { type: 'string' },
  },
});
const { seed } = values;
const cases = Number(values.cases);
const STEP = 10_000;
/** Shown of a run. */
const MOST_DIFFERENCES = 20;

const folder = values.in ?? mkdtempSync(join(tmpdir(), 'sealwright-differential-'));
const subtles = await subtlesOf(loadWasm);
if (values.in === undefined) {
  writeFileSync(join(folder, 'keys.json'), toJson(await pairKeys(subtles.auto)));
}
const keys = fromJson(readFileSync(join(folder, 'keys.json'), 'utf8'));
const run = { seed, from: 0, to: cases };

console.log(`Node ${process.version}, seed ${seed}, ${cases.toLocaleString('en')} cases`);
const outcomes: string[] = [];
const differences: Difference[] = [];
for (let from = 0; from < cases && differences.length < MOST_DIFFERENCES; from += STEP) {
  const part = await runCases({ seed, from, to: Math.min(cases, from + STEP) }, keys, subtles);
  outcomes.push(...part.outcomes);
  differences.push(...part.differences);
}
if (values.in !== undefined) {
  writeFileSync(join(folder, 'outcomes.json'), JSON.stringify(outcomes));
}
const platforms: string[] = [`Node ${process.version}`];
if (values.nodes) {
  for (const version of NODES.filter((each) => each !== process.versions.node)) {
    differences.push(...differencesIn(version));
    platforms.push(`Node v${version}`);
  }
}
for (const { title, outcomes: all } of differences.slice(0, MOST_DIFFERENCES)) {
  console.log(`${title}\n  ${JSON.stringify(all)}`);
}
console.log(`${outcomes.length} cases, ${differences.length} differences`);
if (differences.length > 0) process.exitCode = 1;
if (values.in === undefined) {
  rmSync(folder, { recursive: true });
  if (values.browsers) inBrowsers();
  const name = platforms.length > 1 ? 'differential-platforms' : 'differential';
  note(`bench/results/${name}.json`);
}

/** Cases are summed over the runs on the same platforms: each has another seed. */
function note(path: string): void {
  const earlier = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as {
        platforms: string[];
        cases: number;
        casesOfAllRuns?: number;
      })
    : undefined;
  const isSame = earlier !== undefined && earlier.platforms.join() === platforms.join();
  const casesOfAllRuns = (isSame ? (earlier.casesOfAllRuns ?? earlier.cases) : 0) + outcomes.length;
  const date = new Date().toISOString().slice(0, 10);
  const result = { date, seed, cases, casesOfAllRuns, platforms, differences };
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
}

/** Of the same cases in another Node, whose engines it compares as well. */
function differencesIn(version: string): Difference[] {
  const home = resolve('.cache/nodes', version);
  const node = existsSync(nodeIn(home)) ? nodeIn(home) : installNode(version, home);
  const args = ['--cases', String(cases), '--seed', seed, '--in', folder];
  const options = ['--disable-warning=ExperimentalWarning', '--import', 'tsx'];
  const { status } = spawnSync(node, [...options, 'scripts/differential.ts', ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
  const theirs = JSON.parse(readFileSync(join(folder, 'outcomes.json'), 'utf8')) as string[];
  return platformDifferences(run, keys, { [process.version]: outcomes, [version]: theirs });
}

function inBrowsers(): void {
  const file = 'test/browser/engines/differential.test.ts';
  const env = { ...process.env, SEALWRIGHT_DIFFERENTIAL: String(cases), SEALWRIGHT_SEED: seed };
  const args = ['mocha', '--config=test/browser/mocharc.json', '--retries', '0', file];
  execFileSync('npx', args, { stdio: 'inherit', env });
  platforms.push('Chromium', 'Firefox');
}
