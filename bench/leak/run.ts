/*
 * npm run leak -- [--in node|firefox] [--variant simd|relaxed] [--only TEXT]… [--quick] [--seconds N]
 *
 * Does the time of any primitive of the engine wasm-simd tell something about its secrets? Writes
 * bench/results/leak-<in>.json and a table of docs/constant-time.md. Takes up to an hour on a
 * machine that does nothing else; `--seconds` bounds each primitive by less than a minute. `--only` takes primitives whose name or family contains the text,
 * and keeps the other rows of the last result; `--quick` is for trying, not for quoting.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { VARIANTS } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import type { Limits } from './measure.ts';
import { PRIMITIVES } from './primitives.ts';
import { printLeakRow, printVerdict, quoteInDocs } from './report.ts';
import type { LeakResult, LeakRow } from './result.ts';
import { prepareChild } from './run-child.ts';
import { prepareFirefox } from './run-in-firefox.ts';

const FULL: Limits = { measurements: 1e6, seconds: 60, fewest: 1e4, warmUpSeconds: 1 };
const QUICK: Limits = { measurements: 2e4, seconds: 2, fewest: 1e3, warmUpSeconds: 0.3 };

const { values } = parseArgs({
  options: {
    variant: { type: 'string' },
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    in: { type: 'string', default: 'node' },
    seconds: { type: 'string', default: String(FULL.seconds) },
  },
});

const { variant: wanted, only, quick } = values;
const place = placeNamed(values.in);
const variants = VARIANTS.filter((variant) => wanted === undefined || variant === wanted);
const primitives = PRIMITIVES.filter(
  ({ name, family }) => only?.some((text) => `${family}: ${name}`.includes(text)) ?? true,
);
if (variants.length === 0 || primitives.length === 0) throw new RangeError('nothing has that name');

const path = `bench/results/leak-${place}${quick ? '-quick' : ''}.json`;
mkdirSync('bench/results', { recursive: true });
const last = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LeakResult) : undefined;
const prepare = place === 'node' ? prepareChild : prepareFirefox;
const measuring = await prepare(`.cache/leak-${place}`);
const limits = quick ? QUICK : { ...FULL, seconds: Number(values.seconds) };
const rows: LeakRow[] = [];
try {
  for (const variant of variants) {
    for (const { name } of primitives) {
      const row = await measuring.measure({ name, variant, limits });
      printLeakRow(row);
      rows.push(row);
      keep();
    }
  }
} finally {
  await measuring.close();
}
console.log(`\nWritten to ${path}`);
if (!printVerdict(rows)) process.exitCode = 1;

function placeNamed(name: string): 'node' | 'firefox' {
  if (name !== 'node' && name !== 'firefox') {
    throw new RangeError(`nothing is measured in ${name}`);
  }
  return name;
}

/** After each row, so that a run that is cut short has not run for nothing. */
function keep(): void {
  const result: LeakResult = {
    suite: 'leak',
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    platform: measuring.platform,
    quick,
    rows: inOrder(rows, last),
  };
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
  if (!quick) quoteInDocs(result, place);
}

/** New rows, and those of the last result that they do not replace, as they stand in the list. */
function inOrder(fresh: readonly LeakRow[], last: LeakResult | undefined): LeakRow[] {
  const all = [...fresh, ...(last?.rows ?? [])];
  return VARIANTS.flatMap((variant) =>
    PRIMITIVES.flatMap(({ name }) => {
      const row = all.find((one) => one.variant === variant && one.name === name);
      return row === undefined ? [] : [row];
    }),
  );
}
