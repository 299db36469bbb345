/*
 * npm run bench -- [--browser chromium|firefox] [--largest BYTES] [--quick]
 *
 * Measures our engines beside their peers and writes JSON and a plot to bench/results/. Run it on
 * a machine that does nothing else. `--quick` takes few short rounds: for trying, not for quoting.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SIZES, type SuiteOptions } from './aes-suite.ts';
import { measureCodeSize } from './code-size.ts';
import { describeMachine } from './machine.ts';
import { plotAes } from './plot.ts';
import { measurePrecomputation } from './precompute.ts';
import { quoteInReadme } from './quote.ts';
import { printFigures, printRow } from './report.ts';
import { runInBrowser } from './run-in-browser.ts';
import { runInNode } from './run-in-node.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    largest: { type: 'string', default: String(SIZES.at(-1)) },
    quick: { type: 'boolean', default: false },
  },
});

const options: SuiteOptions = {
  rounds: values.quick ? 3 : 5,
  minimumMs: values.quick ? 20 : 50,
  largest: Number(values.largest),
  report: printRow,
};

const { platform, rows } =
  values.browser === undefined
    ? await runInNode(options)
    : await runInBrowser(values.browser, options);
const result = {
  suite: 'aes',
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  platform,
  quick: values.quick,
  rounds: options.rounds,
  precomputation: values.browser === undefined ? await measurePrecomputation() : undefined,
  codeSize: values.browser === undefined ? await measureCodeSize() : undefined,
  rows,
};
printFigures(result);
const name = `bench/results/aes-${values.browser ?? 'node'}${values.quick ? '-quick' : ''}`;
mkdirSync('bench/results', { recursive: true });
writeFileSync(`${name}.json`, `${JSON.stringify(result, null, 1)}\n`);
writeFileSync(`${name}.svg`, plotAes(result));
if (!values.quick) quoteInReadme();
console.log(`\nWritten to ${name}.json and ${name}.svg`);
