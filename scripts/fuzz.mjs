/*
 * `npm run fuzz [target] [minutes] [--least executions] [--most minutes] [--seed text] [--missing]`:
 * searches for inputs that a parser of untrusted bytes treats otherwise than documented. Without a
 * target, or with `all`, one after the other. It writes new inputs to test/fuzz/corpus, defects to
 * test/fuzz/found, and adds to the tally in bench/results/fuzz.json. With `--least`, a target goes on
 * after its minutes until it has had so many inputs, but not beyond `--most`. `--missing` lists the
 * branches that were not taken.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { instrumentation, MOST_BRANCHES } from './instrument.mjs';
import { giveUp } from './run.mjs';

const FOLDER = '.cache/fuzz';
const RESULTS = 'bench/results/fuzz.json';
/**
 * An input that has not returned by then never will. Processor time, because a busy machine may give
 * this process none for long; an input that only waits is given up after the other time.
 */
const HANG_CPU_MS = 30_000;
const HANG_MS = 10 * 60_000;
const LOOK_MS = 2_000;
const INPUT_BYTES = 1 << 16;
const HEAP_MIB = 1024;

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

function search(target, { outfile, branches, words }, how) {
  const shared = new SharedArrayBuffer(8 + INPUT_BYTES);
  const counter = new Uint32Array(shared, 0, 2);
  const numbers = branches.flatMap(({ file }, i) => (target.files.includes(file) ? [i] : []));
  const task = { target: target.name, ...how, numbers, shared };
  const worker = new Worker(new URL(`../${outfile}`, import.meta.url), {
    workerData: { ...task, words: target.files.flatMap((file) => words[file] ?? []) },
    execArgv: ['--enable-source-maps'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  return new Promise((resolve, reject) => {
    const findings = [];
    let last = -1;
    const current = () => new Uint8Array(shared.slice(8, 8 + counter[1]));
    const stop = (signature) => {
      clearInterval(timer);
      findings.push({ input: current(), signature, stack: signature });
      void worker.terminate();
      resolve({
        findings,
        executions: counter[0],
        ms: 0,
        taken: 0,
        of: numbers.length,
        missing: [],
      });
    };
    let since = Date.now();
    let cpu = process.cpuUsage();
    const timer = setInterval(() => {
      if (counter[0] !== last || last === 0) {
        [last, since, cpu] = [counter[0], Date.now(), process.cpuUsage()];
        return;
      }
      const { user, system } = process.cpuUsage(cpu);
      const isBusy = (user + system) / 1000 > HANG_CPU_MS;
      if (isBusy || Date.now() - since > HANG_MS) stop('does not return');
    }, LOOK_MS);
    worker.on('error', (error) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') stop('needs all memory');
      else {
        clearInterval(timer);
        reject(error);
      }
    });
    worker.on('message', (message) => {
      if (message.kind === 'finding') {
        findings.push(message);
        console.log(`  FOUND ${message.signature}\n${message.stack}\n`);
      } else if (message.kind === 'progress') console.log(line(target.name, message));
      else {
        clearInterval(timer);
        void worker.terminate();
        resolve({ findings, ...message });
      }
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

/** The tally: executions are summed over runs, coverage is of the last one. */
function note({ name }, result, seed) {
  const all = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { targets: {} };
  const before = all.targets[name] ?? { executions: 0, seconds: 0, runs: 0 };
  const [machine] = cpus();
  const today = new Date().toISOString().slice(0, 10);
  all.machine = { node: process.version, cpu: machine?.model.trim(), cores: cpus().length };
  all.targets[name] = {
    executions: before.executions + result.executions,
    seconds: before.seconds + Math.round(result.ms / 1000),
    runs: before.runs + 1,
    branches: result.taken,
    branchesOf: result.of,
    corpus: result.corpus ?? 0,
    findings: result.findings.length,
    last: { date: today, seed, executions: result.executions },
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
    most: { type: 'string', default: 'Infinity' },
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
const how = {
  seconds: 60 * Number(minutes),
  mostSeconds: 60 * Number(values.most),
  executions: Number(values.least),
  seed: values.seed,
};
console.log(`${targets.length} targets, ${minutes} minutes each, seed ${how.seed}`);
let found = 0;
for (const target of targets) {
  const result = await search(target, bundled, how);
  for (const { input, signature } of result.findings) {
    addInput(foundFile(target.name), input, signature);
  }
  found += result.findings.length;
  note(target, result, how.seed);
  console.log(line(target.name, result));
  if (values.missing) {
    for (const number of result.missing) {
      const { file, line: at } = bundled.branches[number];
      console.log(`    not taken: ${file}:${at}`);
    }
  }
}
console.log(found === 0 ? 'Nothing found.' : `${found} findings: see test/fuzz/found`);
process.exit(found === 0 ? 0 : 1);
