import { JS, WASM } from '../names.ts';
import { bars, COLOURS, lines } from '../plot.ts';
import { Readings } from '../result.ts';
import { sizeName } from '../row.ts';
import type { Plot } from '../suite.ts';

const LONG = 1 << 20;
const HASHES = ['SHA-1', 'SHA-256', 'SHA-512', 'SHA3-256', 'BLAKE2b', 'BLAKE3'];

export const plotHashes: Plot = {
  name: 'functions',
  alternative: 'Throughput of six hash functions at 1 MiB: our two engines and four peers',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      [WASM, COLOURS.wasm],
      ['hash-wasm', COLOURS.second],
      [JS, COLOURS.js],
      ['@noble/hashes', COLOURS.noble],
      ['sjcl', COLOURS.sjcl],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: HASHES.map((algorithm) => {
        const bytes = readings.throughput({ algorithm, size: LONG, unit: 'B' }, name!);
        return bytes && bytes / 1e6;
      }),
    }));
    const title = `Hash functions at ${sizeName(LONG)}`;
    return bars({ title, unit: 'MB/s', categories: HASHES, series }, result);
  },
};

const ITERATIONS = [1, 10, 100, 1000, 10_000, 100_000];

export const plotPbkdf2: Plot = {
  name: 'pbkdf2',
  alternative: 'Time of PBKDF2-SHA-256 from 1 to 100,000 iterations, on logarithmic axes',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      ['crypto-js', COLOURS.third],
      ['sjcl', COLOURS.sjcl],
      ['@noble/hashes', COLOURS.noble],
      ['asmcrypto.js', COLOURS.second],
      [WASM, COLOURS.wasm],
      ['WebCrypto', COLOURS.native],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: ITERATIONS.map((size) => {
        const key = { algorithm: 'PBKDF2-SHA-256', size, unit: 'iterations' } as const;
        const seconds = readings.median(key, name!);
        return seconds && 1e3 * seconds;
      }),
    }));
    const title = 'PBKDF2-SHA-256 by iterations';
    const categories = ITERATIONS.map((count) => count.toLocaleString('en'));
    return lines({ title, unit: 'ms', categories, series, logarithmic: true }, result);
  },
};
