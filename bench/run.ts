/*
 * npm run bench -- [SUITE …] [--browser chromium|firefox] [--largest SIZE] [--quick]
 * npm run bench -- lane --trace [--browser chromium|firefox] [--quick]
 *
 * Measures our engines beside their peers, in the suites of bench/suites.ts (all of them if none is
 * named), and writes JSON and plots to bench/results/. Run it on a machine that does nothing else.
 * `--quick` takes few short rounds, `--largest` leaves out longer messages: for trying, not for
 * quoting, so that neither touches the results that are quoted. `--trace` gives an account of single
 * calls instead (bench/lane/trace), in both browsers where none is named.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judge, usesOf, wasmFigures } from './figures.ts';
import { describeMachine } from '../scripts/machine.mjs';
import { accountLine, traceText } from './lane/trace/account-text.ts';
import { traceLane } from './lane/trace/run-trace.ts';
import type { Message } from './order.ts';
import { quoteResults } from './quote.ts';
import { figuresTable, rowLine, summary } from './report.ts';
import { platformOf, resultJson } from './result.ts';
import type { PlatformKind, SuiteResult } from './result.ts';
import type { Row } from './row.ts';
import { runInBrowser } from './run-in-browser.ts';
import {
  buildForNode,
  makeModulesForNode,
  needsRelaxedFlag,
  RELAXED_FLAG,
  runInNode,
} from './run-in-node.ts';
import { SUITES } from './suites.ts';
import { svgOf } from './svg.ts';
import type { Suite } from './suite.ts';
import { peerVersions } from './versions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string' },
    largest: { type: 'string' },
    quick: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});
const kind = platformOf(values.browser);
const suites = positionals.length === 0 ? SUITES : positionals.map(suiteNamed);
/** Whether results are for trying only. */
const trial = values.quick || values.largest !== undefined;
/** Firefox's clock ticks in whole milliseconds. */
const minimumMs = kind === 'firefox' ? 40 : 25;
const effort = values.quick
  ? { rounds: 3, minimumMs: 10 }
  : { rounds: 5, minimumMs, warmUpMs: 200 };
const lines: string[] = [];
const ONLY_TRIED = '\nOnly tried: what is quoted stays as it was.';
const BROWSER_NAMES = ['chromium', 'firefox'] as const;

if (values.trace) await traceCalls();
else await measureSuites();

async function traceCalls(): Promise<void> {
  if (suites.some(({ name }) => name !== 'lane') || values.largest !== undefined) {
    throw new RangeError('--trace is for the suite lane, and takes no --largest');
  }
  for (const browser of kind === 'node' ? BROWSER_NAMES : [kind]) {
    console.log(`\n== ${browser}\n`);
    const trace = await traceLane(browser, values.quick, (account) =>
      console.log(accountLine(account)),
    );
    mkdirSync('bench/results', { recursive: true });
    const ending = `${browser}${values.quick ? '-quick' : ''}`;
    writeFileSync(`bench/results/lane-trace-${ending}.json`, resultJson(trace));
    console.log(`\n${traceText([trace])}`);
  }
  if (values.quick) console.log(ONLY_TRIED);
}

async function measureSuites(): Promise<void> {
  for (const suite of suites) {
    if (isFor(kind, suite)) await measureSuite(suite);
  }
  console.log(`\n${lines.join('\n')}`);
  if (trial) console.log(ONLY_TRIED);
  else quoteResults();
}

async function measureSuite(suite: Suite): Promise<void> {
  console.log(`\n== ${suite.title}\n`);
  const result = await measure(suite);
  const verdicts = judge(suite.figures, result);
  console.log(`\n${result.platform} on ${result.machine}\n\n${figuresTable(verdicts)}\n`);
  write(suite, result);
  lines.push(`${suite.title}: ${summary(verdicts)}`);
}

/** Rows run everywhere; what is measured beside them runs in Node, or in browsers alone. */
function isFor(platform: PlatformKind, suite: Suite): boolean {
  if (suite.rows !== undefined) return true;
  return platform === 'node' ? suite.extras !== undefined : suite.runIn !== undefined;
}

async function measure(suite: Suite): Promise<SuiteResult> {
  const largest = Math.min(suite.largest, Number(values.largest ?? suite.largest));
  const run =
    kind === 'node' ? await measureInNode(suite, largest) : await measureInBrowser(suite, largest);
  return {
    suite: suite.name,
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    kind,
    quick: trial,
    rounds: effort.rounds,
    versions: peerVersions(),
    ...run,
    ...(suite.isShuffled && { rows: run.rows.toSorted(byTaskAndSize) }),
  };
}

/** A declaration, because the suites run before the end of this file. */
function byTaskAndSize(a: Row, b: Row): number {
  return a.algorithm.localeCompare(b.algorithm, 'en') || a.size - b.size;
}

type Run = Pick<SuiteResult, 'platform' | 'flags' | 'rows' | 'withoutFlags' | 'extras'>;

/** With relaxed SIMD, and once more as Node comes for what figures need. */
async function measureInNode(suite: Suite, largest: number): Promise<Run> {
  const flags = needsRelaxedFlag() ? [RELAXED_FLAG] : [];
  const [rows, tell] = collector();
  if (suite.rows !== undefined) {
    await makeModulesForNode();
    await buildForNode(suite.name, suite.rows);
    await runInNode(suite.name, { ...effort, largest }, flags, tell);
  }
  const extras = suite.extras && { extras: await suite.extras() };
  const run = { platform: `Node ${process.version}`, flags, rows, ...extras };
  if (flags.length === 0 || rows.length === 0) return run;
  console.log(`\nWithout ${RELAXED_FLAG}:\n`);
  const [withoutFlags, tellWithout] = collector();
  const only = usesOf(wasmFigures(suite.figures));
  await runInNode(suite.name, { ...effort, largest, only }, [], tellWithout);
  return { ...run, withoutFlags };
}

async function measureInBrowser(suite: Suite, largest: number): Promise<Run> {
  const [rows, tell] = collector();
  const name = kind === 'firefox' ? 'firefox' : 'chromium';
  if (suite.runIn) {
    const { platform, extras } = await suite.runIn(name, { ...effort, largest }, tell);
    return { platform, flags: [], rows, ...(extras && { extras }) };
  }
  const platform = await runInBrowser(name, suite.rows!, { ...effort, largest }, tell);
  return { platform, flags: [], rows };
}

function collector(): [Row[], (message: Message) => void] {
  const rows: Row[] = [];
  const tell = (message: Message): void => {
    if (!('row' in message)) return;
    rows.push(message.row);
    console.log(rowLine(message.row, message.progress));
  };
  return [rows, tell];
}

function write(suite: Suite, result: SuiteResult): void {
  mkdirSync('bench/results', { recursive: true });
  const ending = `${kind}${trial ? '-quick' : ''}`;
  writeFileSync(`bench/results/${suite.name}-${ending}.json`, resultJson(result));
  for (const plot of suite.plots) {
    const drawing = plot.draw(result);
    const path = `bench/results/${suite.name}-${plot.name}-${ending}.svg`;
    if (drawing !== undefined) writeFileSync(path, svgOf(drawing));
  }
}

function suiteNamed(name: string): Suite {
  const suite = SUITES.find((one) => one.name === name);
  if (suite) return suite;
  throw new RangeError(`no suite ${name}; there are ${SUITES.map((one) => one.name).join(', ')}`);
}
