/* The suite of the eight graphs of 2014. */
import { rowOverRow, type Figure } from '../figures.ts';
import { JS, WASM } from '../names.ts';
import { COLOURS, lines, type Drawing, type Series } from '../plot.ts';
import { Readings, type SuiteResult } from '../result.ts';
import { sizeName, type RowKey } from '../row.ts';
import type { Plot, Suite } from '../suite.ts';
import { GRAPHS_2014, LIBRARIES_2014 } from './graphs-2014.ts';
import { linearity } from './linearity.ts';
import { iterationsOf, sizesOf } from '../../lab/runs/tarr.ts';

/** What is drawn twice: as time and as rate. */
export const CURVES = [
  { algorithm: 'SHA-1', hash: 'SHA-1', isHash: true },
  { algorithm: 'SHA-256', hash: 'SHA-256', isHash: true },
  { algorithm: 'PBKDF2-SHA-1', hash: 'SHA-1', isHash: false },
  { algorithm: 'PBKDF2-SHA-256', hash: 'SHA-256', isHash: false },
] as const;
type Algorithm = (typeof CURVES)[number]['algorithm'];

export const curveRow = (algorithm: Algorithm, size: number): RowKey => ({
  algorithm,
  size,
  unit: algorithm.startsWith('PBKDF2') ? 'iterations' : 'B',
});

const COLOUR_OF = {
  [WASM]: COLOURS.wasm,
  [JS]: COLOURS.js,
  'node:crypto': COLOURS.native,
  WebCrypto: COLOURS.fourth,
  sjcl: COLOURS.sjcl,
  'crypto-js': COLOURS.third,
  'node-forge': COLOURS.second,
  'crypto-browserify': COLOURS.noble,
} as const;
const NAMES = Object.keys(COLOUR_OF) as (keyof typeof COLOUR_OF)[];

type Axis = 'time' | 'rate';

/** Milliseconds, or bytes and iterations in a millisecond, as the graphs have them. */
const valueOf = (axis: Axis, amount: number, ms: number): number =>
  axis === 'time' ? ms : amount / ms;

function drawCurve(algorithm: Algorithm, axis: Axis, result: SuiteResult): Drawing {
  const isHash = !algorithm.startsWith('PBKDF2');
  const sizes = isHash ? sizesOf('full') : iterationsOf('full');
  const readings = new Readings(result.rows);
  const today = NAMES.map((name): Series => ({
    name,
    colour: COLOUR_OF[name],
    values: sizes.map((size) => {
      const seconds = readings.median(curveRow(algorithm, size), name);
      return seconds && valueOf(axis, size, 1000 * seconds);
    }),
  }));
  const then = LIBRARIES_2014.map((name, i): Series => ({
    name: `${name}, 2014`,
    colour: COLOUR_OF[name],
    isFaint: true,
    values: GRAPHS_2014[algorithm].map(([amount, ...ms]) => valueOf(axis, amount, ms[i]!)),
  }));
  const amounts = isHash ? 'bytes' : 'iterations';
  const unit = axis === 'time' ? 'ms' : `${amounts}/ms`;
  const isPower = (size: number) => Number.isInteger(Math.log10(size));
  const name = (size: number) => (isHash ? sizeName(size) : size.toLocaleString('en'));
  const categories = sizes.map((size) => (isPower(size) ? name(size) : ''));
  const measured = today.filter(({ values }) => values.some((value) => value !== undefined));
  const title = `${algorithm}: ${axis} by ${isHash ? 'length of the message' : 'iterations'}`;
  const series = [...then, ...measured];
  return lines({ title, unit, categories, series, logarithmic: true }, result);
}

const plots = CURVES.flatMap(({ algorithm }) =>
  (['time', 'rate'] as const).map((axis): Plot => ({
    name: `${algorithm.toLowerCase()}-${axis}`,
    alternative: `${algorithm}, ${axis}: our engines, the libraries of 2014 as they are today and as they were, and the platform's own`,
    draw: (result) => drawCurve(algorithm, axis, result),
  })),
);

/** How far each library's time is from proportion to the length, or to the iterations. */
const deviations = CURVES.flatMap(({ algorithm, isHash }): Figure[] =>
  NAMES.map((name) => {
    const sizes = isHash ? [100_000, 1_000_000, 10_000_000] : [1000, 10_000];
    return linearity(
      sizes.map((size) => curveRow(algorithm, size)),
      name,
      {},
    );
  }),
);

/** sjcl derives keys by SHA-256 four times as fast as by SHA-1, said the article. */
const byHash = NAMES.map((name) =>
  rowOverRow(
    `PBKDF2, 10,000 iterations, ${name}: speed with SHA-256 over speed with SHA-1`,
    name,
    [curveRow('PBKDF2-SHA-1', 10_000), curveRow('PBKDF2-SHA-256', 10_000)],
    { asked: {}, bound: 'at least' },
  ),
);

export const curves: Suite = {
  name: 'curves',
  title: 'The graphs of 2014',
  rows: 'bench/hashes/curves-rows.ts',
  largest: 10_000_000,
  isShuffled: true,
  figures: [...deviations, ...byHash],
  plots,
};
