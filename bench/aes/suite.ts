import {
  callTime,
  atMost,
  inV8,
  overhead,
  timesAsFast,
  timesTheFastest,
  timesTheTime,
  type Figure,
} from '../figures.ts';
import { JS, WASM, WASM_FRESH } from '../names.ts';
import type { RowKey } from '../row.ts';
import type { Suite } from '../suite.ts';
import { measureCodeSize, measureUnrolledSize } from './code-size.ts';
import { MODES_ROW, modeName } from './modes-row.ts';
import { plotEngines, plotModes, plotSizes } from './plots.ts';
import { measurePrecomputation } from './precompute.ts';

const NOBLE = '@noble/ciphers';

const KIB = 1 << 10;
const MIB = 1 << 20;
const BULK = [64 * KIB, MIB];
const row = (algorithm: string, size: number): RowKey => ({ algorithm, size, unit: 'B' });
const bulk = (algorithm: string, figure: (key: RowKey) => Figure[]): Figure[] =>
  BULK.flatMap((size) => figure(row(algorithm, size)));

/** The figures that were asked of engine js: the readable reference. */
const jsFigures: readonly Figure[] = [
  ...bulk('AES-128-CTR', (key) => [
    timesAsFast(key, JS, NOBLE, { node: 2, chromium: 1.7, firefox: 2.5 }),
    timesAsFast(key, JS, 'sjcl', { node: 3 }),
  ]),
  ...['AES-128-CBC', 'AES-128-GCM', 'AES-128-CCM', 'AES-128-OCB'].flatMap((algorithm) =>
    bulk(algorithm, (key) => [timesTheFastest(key, JS, 'pure js', { node: 1 })]),
  ),
  timesTheTime(MODES_ROW, modeName('js', 'OCB'), modeName('js', 'ECB'), inV8(1.09)),
  timesAsFast(MODES_ROW, modeName('js', 'ECB'), modeName('js', 'CTR'), inV8(0.8)),
  atMost(
    'All tables computed in a fresh process',
    'ms',
    { node: 0.5 },
    (extras) => extras.precomputation?.coldMs,
  ),
  atMost(
    'All tables computed once more',
    'ms',
    { node: 0.02 },
    (extras) => extras.precomputation?.warmMs,
  ),
  atMost(
    'AES core, minified',
    'bytes',
    { node: 3500 },
    (extras) => extras.codeSize?.find(({ name }) => name === JS)?.minifiedBytes,
  ),
];

const wasmFigures: readonly Figure[] = [
  ...bulk('AES-128-CTR', (key) => [
    timesAsFast(key, WASM, NOBLE, inV8(6)),
    timesAsFast(key, WASM, 'sjcl', { node: 9, chromium: 7 }),
    timesAsFast(key, WASM_FRESH, NOBLE, { node: 5, chromium: 4.3 }),
    timesAsFast(key, WASM_FRESH, 'sjcl', { node: 8, chromium: 5 }),
  ]),
  ...bulk('AES-256-CTR', (key) => [
    timesAsFast(key, WASM, NOBLE, inV8(5)),
    timesAsFast(key, WASM, 'sjcl', inV8(8)),
  ]),
  timesAsFast(row('AES-128-GCM', KIB), WASM, 'sjcl', inV8(24)),
  ...bulk('AES-128-GCM', (key) => [
    timesAsFast(key, WASM, NOBLE, { node: 6, chromium: 8 }),
    timesAsFast(key, WASM, 'sjcl', { node: 100, chromium: 60 }),
    timesAsFast(key, WASM, 'WebCrypto', { chromium: key.size === MIB ? 0.5 : 0.28 }),
  ]),
  overhead(MODES_ROW, modeName('wasm-simd', 'OCB'), modeName('wasm-simd', 'ECB'), {
    ...inV8(3),
    firefox: 9,
  }),
  ...bulk('AES-128-OCB', (key) => [timesAsFast(key, WASM, 'openpgp', inV8(100))]),
  timesAsFast(row('AES-128-CCM', MIB), WASM, 'sjcl', { node: 8, chromium: 4.5 }),
  timesAsFast(row('AES-128-CCM', MIB), WASM, 'asmcrypto.js', { node: 3.5, chromium: 5 }),
  ...bulk('AES-128-CBC', (key) => [
    timesAsFast(key, WASM, 'sjcl', { node: 6 }),
    timesAsFast(key, WASM, NOBLE, { node: 2 }),
  ]),
  ...bulk('AES-128-CMAC', (key) => [timesAsFast(key, WASM, NOBLE, { node: 2 })]),
  ...bulk('AES-128-SIV', (key) => [timesAsFast(key, WASM, NOBLE, inV8(3.5))]),
  ...bulk('AES-128-GCM-SIV', (key) => [timesAsFast(key, WASM, NOBLE, inV8(6))]),
  ...['AEGIS-128L', 'AEGIS-256'].flatMap((algorithm) =>
    bulk(algorithm, (key) => [timesAsFast(key, WASM, 'libsodium', {})]),
  ),
  callTime(row('AES-128-CTR', 16), WASM, inV8(0.2)),
  callTime(row('AES-128-GCM', 16), WASM, inV8(0.4)),
  timesAsFast(row('AES-128-CTR', 16), WASM, 'WebCrypto', inV8(10)),
  timesAsFast(row('AES-128-GCM', 16), WASM, 'WebCrypto', inV8(10)),
  callTime(row('AES-128 key schedule', 16), WASM, inV8(0.35)),
];

export const aes: Suite = {
  name: 'aes',
  title: 'AES',
  rows: 'bench/aes/rows.ts',
  largest: 1 << 24,
  figures: [...jsFigures, ...wasmFigures],
  plots: [plotEngines, plotSizes, plotModes],
  extras: async () => ({
    precomputation: await measurePrecomputation(),
    codeSize: await measureCodeSize(),
    unrolledSize: await measureUnrolledSize(),
  }),
};
