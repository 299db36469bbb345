/*
 * npm run bench:works -- [--browser chromium|firefox] [--quick]
 * npm run bench:works -- --quote
 *
 * Runs the five works of lab in Node or a browser, writes bench/results/works-PLATFORM.json, and all that the works
 * print beside it to bench/results, which the site shows. In a browser it is the Lab's page, after `npm run build`. `--quick` only tries
 * it. Run it on a machine that does nothing else. `--quote` measures nothing and writes text and plots of the results anew.
 */
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker as Thread } from 'node:worker_threads';
import { build } from 'esbuild';
import { describeMachine } from '../../scripts/machine.mjs';
import { makeWasm } from '../../scripts/make-wasm.ts';
import { WORK_IDS } from '../../lab/printed/table.ts';
import type { LabEvent, LabOrder, LabResult } from '../../lab/result.ts';
import type { Tab } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { serve } from '../../test/browser/server.ts';
import { platformOf, resultJson } from '../result.ts';
import { needsRelaxedFlag, RELAXED_FLAG } from '../run-in-node.ts';
import type { NodeOrder } from './in-node.ts';
import { COLD_CHECK, COLD_WORKER, measureBuildSizes, measureColdTimes } from './builds.ts';
import { svgOf } from '../svg.ts';
import { worksPlots } from './plots.ts';
import { readWorks, worksPath, type TimelessResult, type WorksRun } from './text.ts';

const BUNDLE = '.cache/bench/works.mjs';
const WASM_FOLDER = '.cache/bench/wasm/';
const COLD_FOLDER = '.cache/bench/cold';
/** A work takes a minute or two in a browser that has nothing else to do. */
const PATIENCE_MS = 20 * 60_000;

const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    quick: { type: 'boolean', default: false },
    quote: { type: 'boolean', default: false },
  },
});
const mode = values.quick ? 'quick' : 'full';
const kind = platformOf(values.browser);

if (!values.quote) await measureWorks();
if (values.quick) console.log('Only tried: what is quoted stays as it was.');
else quoteWorks();

async function measureWorks(): Promise<void> {
  const { platform, results, cold, sizes } =
    kind === 'node' ? await runInNode() : await runInBrowser(kind);
  const run: WorksRun = {
    platform,
    machine: describeMachine(),
    date: new Date().toISOString().slice(0, 10),
    results,
    ...(cold && { cold }),
    ...(sizes && { sizes }),
  };
  if (values.quick) console.log(cold, sizes);
  else writeFileSync(worksPath(kind), resultJson(run));
}

function quoteWorks(): void {
  const runs = readWorks();
  for (const { path, draw } of runs.flatMap(worksPlots)) writeFileSync(path, svgOf(draw()));
}

type Ran = Pick<WorksRun, 'platform' | 'results' | 'cold' | 'sizes'>;

/** Bundled, as applications are: loaded module by module, some kernels are half as fast. */
async function runInNode(): Promise<Ran> {
  await makeWasm(WASM_FOLDER);
  await build({
    entryPoints: ['bench/works/in-node.ts'],
    outfile: BUNDLE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    logLevel: 'error',
  });
  const flags = needsRelaxedFlag() ? [RELAXED_FLAG] : [];
  const found = await eachWork((order) => workInNode(order, flags));
  const flagged = flags.length > 0 ? ` with \`${flags.join(' ')}\`` : '';
  return {
    platform: `Node ${process.version}${flagged}`,
    results: found,
    cold: await measureColdTimes(coldInNode),
    sizes: await measureBuildSizes(),
  };
}

/** In a thread of its own, whose code no other has compiled. */
function coldInNode(script: string): Promise<number> {
  const code = `${COLD_WORKER}
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage(evaluate(workerData));`;
  return new Promise((resolve, reject) => {
    const thread = new Thread(code, { eval: true, workerData: script });
    thread.once('message', (found: Cold) => resolve(checked(found)));
    thread.once('error', reject);
  });
}

interface Cold {
  readonly ms: number;
  readonly check: number;
}

function checked({ ms, check }: Cold): number {
  if (check !== COLD_CHECK) throw new Error('a build has wrong tables');
  return ms;
}

function workInNode(order: LabOrder, flags: readonly string[]): Promise<LabResult> {
  const child = fork(BUNDLE, { execArgv: [...flags] });
  return new Promise<LabResult>((resolve, reject) => {
    child.on('message', (event: LabEvent) => {
      if (event.type === 'finished') resolve(event.result);
      if (event.type === 'failed') reject(new Error(event.message));
    });
    child.on('exit', (code) => reject(new Error(`the process ended with ${code}`)));
    const wasmFolder = pathToFileURL(WASM_FOLDER).href;
    child.send({ ...order, wasmFolder } satisfies NodeOrder);
  });
}

async function runInBrowser(name: 'chromium' | 'firefox'): Promise<Ran> {
  writeColdPage();
  const [session, server] = await Promise.all([launch(name), serve('dist/lab', COLD_FOLDER)]);
  try {
    const tab = await session.newTab(`${server.origin}/index.html`);
    const found = await eachWork((order) => workIn(tab, order));
    // The clock of an isolated page is finer, and these times are short.
    await tab.goto(`${server.origin}/cold.html?isolated`);
    const cold = await measureColdTimes((script) => coldIn(tab, script));
    return { platform: session.version, results: found, cold };
  } finally {
    await session.close();
    await server.close();
  }
}

/** The page's own worker, started without its buttons. */
async function workIn(tab: Tab, order: LabOrder): Promise<LabResult> {
  type Held = typeof globalThis & { labEnd?: LabEvent | undefined };
  await tab.evaluate((given) => {
    const held = globalThis as Held;
    held.labEnd = undefined;
    const worker = new Worker('lab-worker.js');
    worker.onmessage = ({ data }: MessageEvent<LabEvent>) => {
      if (data.type === 'progress') return;
      held.labEnd = data;
      worker.terminate();
    };
    worker.onerror = ({ message }) => (held.labEnd = { type: 'failed', message });
    worker.postMessage(given);
  }, order);
  await tab.waitUntil(() => (globalThis as Held).labEnd !== undefined, { timeoutMs: PATIENCE_MS });
  const end = await tab.evaluate(() => (globalThis as Held).labEnd!);
  if (end.type === 'finished') return end.result;
  throw new Error(end.type === 'failed' ? end.message : 'the run ended without a result');
}

/** A page of its own: the Lab's forbids `eval`. */
function writeColdPage(): void {
  mkdirSync(COLD_FOLDER, { recursive: true });
  writeFileSync(`${COLD_FOLDER}/cold.html`, '<!doctype html><title>bench</title>');
  const worker = `${COLD_WORKER}
    onmessage = ({ data }) => postMessage(evaluate(data));`;
  writeFileSync(`${COLD_FOLDER}/cold-worker.js`, worker);
}

async function coldIn(tab: Tab, script: string): Promise<number> {
  const found = await tab.evaluate(async (text) => {
    const worker = new Worker('cold-worker.js?isolated');
    const cold = await new Promise<unknown>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(text);
    });
    worker.terminate();
    return cold;
  }, script);
  return checked(found as Cold);
}

/** One after the other, in their order. */
async function eachWork(
  work: (order: LabOrder) => Promise<LabResult>,
): Promise<WorksRun['results']> {
  const all: TimelessResult[] = [];
  for (const id of WORK_IDS) {
    const { ms, samples, absent, cards } = await work({ work: id, mode });
    console.log(`${id}: ${samples.length} times in ${(ms / 1000).toFixed(0)} s`);
    all.push({ work: id, mode, ms, samples, absent, ...(cards && { cards }) });
  }
  return all;
}
