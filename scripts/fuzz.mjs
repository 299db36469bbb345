/*
 * `npm run fuzz [target] [minutes] [--least executions] [--within minutes] [--jobs n] [--seed text] [--missing]`:
 * searches for inputs that a parser of untrusted bytes treats otherwise than documented. Without a
 * target, or with `all`, all of them, `--jobs` at a time. It writes new inputs to test/fuzz/corpus, defects to
 * test/fuzz/found, and adds to the tally in bench/results/fuzz.json. With `--least`, a target goes on
 * after its minutes until it has had so many inputs. `--within` is the time for all of them: each has a share
 * by the rate that the tally says (fuzz-shares.mjs). `--missing` lists the branches that were not taken.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { shares } from './fuzz-shares.mjs';
import { instrumentation, MOST_BRANCHES } from './instrument.mjs';
import { giveUp } from './run.mjs';

const FOLDER = '.cache/fuzz';
const RESULTS = 'bench/results/fuzz.json';
/** Bundles an entry of test/fuzz, with counters in `files`. */
async function bundle(entry, files = []) {
  mkdirSync(FOLDER, { recursive: true });
  const { plugin, branches, words } = instrumentation(files);
  const outfile = `${FOLDER}/${entry}.mjs`;
  await build({
    entryPoints: [`test/fuzz/${entry}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [plugin],
    banner: { js: `globalThis.__branches ??= new Uint32Array(${MOST_BRANCHES});` },
  });
  if (branches.length > MOST_BRANCHES) throw new Error('MOST_BRANCHES is too small');
  return { outfile, branches, words };
}

const load = (outfile) => import(new URL(`../${outfile}`, import.meta.url).href);

/** A search in a process of its own. @returns its result, with the findings */
function search(target, { outfile, branches, words }, how) {
  const numbers = branches.flatMap(({ file }, i) => (target.files.includes(file) ? [i] : []));
  const literals = target.files.flatMap((file) => words[file] ?? []);
  const child = fork('scripts/fuzz-search.mjs', { serialization: 'advanced' });
  child.send({ outfile, task: { target: target.name, ...how, numbers, words: literals } });
  return new Promise((resolve, reject) => {
    const findings = [];
    let result;
    child.on('error', reject);
    child.on('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`${target.name}: the search ended with ${code}`));
    });
    child.on('message', (message) => {
      if (message.kind === 'finding') {
        findings.push(message);
        console.log(`  FOUND ${message.signature}\n${message.stack}\n`);
      } else if (message.kind === 'progress') console.log(line(target.name, message));
      else result = { findings, ...message };
    });
  });
}

function line(name, { executions, ms, taken, of, kept }) {
  const rate = Math.round((1000 * executions) / Math.max(ms, 1));
  const share = ((100 * taken) / of).toFixed(1);
  return (
    `  ${name.padEnd(18)} ${executions.toLocaleString('en').padStart(12)} executions, ` +
    `${rate.toLocaleString('en').padStart(8)}/s, ${taken} of ${of} branches (${share} %)` +
    (kept === undefined ? '' : `, ${kept} inputs kept`)
  );
}

const tally = () =>
  existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { targets: {} };

/** Executions are summed over runs, coverage is of the last one. */
function note({ name }, result, seed) {
  const all = tally();
  const seconds = Math.round(result.ms / 1000);
  const before = all.targets[name] ?? { executions: 0, seconds: 0, runs: 0 };
  const [machine] = cpus();
  const today = new Date().toISOString().slice(0, 10);
  all.machine = { node: process.version, cpu: machine?.model.trim(), cores: cpus().length };
  all.targets[name] = {
    executions: before.executions + result.executions,
    seconds: before.seconds + seconds,
    runs: before.runs + 1,
    branches: result.taken,
    branchesOf: result.of,
    corpus: result.corpus ?? 0,
    findings: result.findings.length,
    last: { date: today, seed, executions: result.executions, seconds },
  };
  const sum = Object.values(all.targets).reduce((total, { executions }) => total + executions, 0);
  const targets = Object.fromEntries(
    Object.entries(all.targets).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const content = { ...all, date: today, executions: sum, targets };
  writeFileSync(RESULTS, `${JSON.stringify(content, null, 2)}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    least: { type: 'string', default: '0' },
    within: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now()) },
    missing: { type: 'boolean', default: false },
  },
});
const [wanted = 'all', minutes = '1'] = positionals;
const { TARGETS } = await load((await bundle('targets')).outfile);
const { addInput, foundFile } = await load((await bundle('corpus')).outfile);
const targets = TARGETS.filter(({ name }) => wanted === 'all' || name === wanted);
if (targets.length === 0) {
  giveUp(`There is no target "${wanted}". Targets: ${TARGETS.map(({ name }) => name).join(', ')}`);
}
const bundled = await bundle('worker', [...new Set(TARGETS.flatMap(({ files }) => files))]);
const [seconds, executions] = [60 * Number(minutes), Number(values.least)];
const { seed } = values;
const jobs = Math.min(Number(values.jobs), targets.length);
const withinSeconds = 60 * Number(values.within);
const waiting = shares(
  targets.map(({ name }) => name),
  tally().targets,
  { executions, seconds, withinSeconds, jobs },
);
const end = Date.now() + 1000 * withinSeconds;
console.log(`${targets.length} targets, ${minutes} minutes each, seed ${seed}`);
let found = 0;
await Promise.all(Array.from({ length: jobs }, oneAfterTheOther));
console.log(found === 0 ? 'Nothing found.' : `${found} findings: see test/fuzz/found`);
process.exit(found === 0 ? 0 : 1);

async function oneAfterTheOther() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { name, mostSeconds: share } = next;
    const target = targets.find((one) => one.name === name);
    const mostSeconds = Math.min(share, (end - Date.now()) / 1000);
    const how = { seconds: Math.min(seconds, mostSeconds), mostSeconds, executions, seed };
    const result = await search(target, bundled, how);
    for (const { input, signature } of result.findings) {
      addInput(foundFile(name), input, signature);
    }
    found += result.findings.length;
    note(target, result, seed);
    console.log(line(name, result));
    if (result.executions < executions) console.log(`  ${name}: its time has not been enough`);
    if (!values.missing) continue;
    for (const number of result.missing) {
      const { file, line: at } = bundled.branches[number];
      console.log(`    not taken: ${file}:${at}`);
    }
  }
}
