import { JS, WASM } from '../names.ts';
import { bars, COLOURS, lines, type Series } from '../plot.ts';
import { Readings } from '../result.ts';
import { sizeName, type RowKey } from '../row.ts';
import type { Plot } from '../suite.ts';
import { MODES, MODES_ROW, modeName, type ModesEngine } from './modes-row.ts';

const row = (algorithm: string, size: number): RowKey => ({ algorithm, size, unit: 'B' });
const megabytes = (perSecond: number | undefined) => perSecond && perSecond / 1e6;

const BULK_MODES = ['CTR', 'CBC', 'GCM', 'CCM', 'OCB', 'SIV', 'GCM-SIV'].map((m) => `AES-128-${m}`);

/** Every mode at 64 KiB: our engines, the fastest that others have outside the platform, sjcl. */
export const plotEngines: Plot = {
  name: 'modes',
  alternative:
    'Throughput of seven modes of AES-128 at 64 KiB: our two engines, the fastest peer, sjcl',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const keys = BULK_MODES.map((mode) => row(mode, 1 << 16));
    const of = (name: string) => keys.map((key) => megabytes(readings.throughput(key, name)));
    const best = keys.map((key) => fastestPeer(readings, key));
    const series: Series[] = [
      { name: WASM, colour: COLOURS.wasm, values: of(WASM) },
      { name: JS, colour: COLOURS.js, values: of(JS) },
      {
        name: 'fastest peer',
        colour: COLOURS.noble,
        values: keys.map((key, i) => megabytes(readings.throughput(key, best[i] ?? ''))),
        notes: best.map((name) =>
          name?.replace('@noble/ciphers', 'noble').replace('asmcrypto', 'asm'),
        ),
      },
      { name: 'sjcl', colour: COLOURS.sjcl, values: of('sjcl') },
    ];
    const categories = BULK_MODES.map((mode) => mode.replace('AES-128-', ''));
    return bars({ title: 'AES-128 at 64 KiB', unit: 'MB/s', categories, series }, result);
  },
};

function fastestPeer(readings: Readings, key: RowKey): string | undefined {
  const peers = readings
    .row(key)
    ?.results.filter(({ kind }) => kind !== 'ours' && kind !== 'native');
  return peers?.sort((a, b) => a.median - b.median)[0]?.name;
}

const SIZES = [16, 1 << 10, 1 << 16, 1 << 20, 1 << 24];

/** What a call costs, and from which size on the platform's own is worth its call. */
export const plotSizes: Plot = {
  name: 'sizes',
  alternative: 'Throughput of AES-128-GCM from 16 bytes to 16 MiB, on logarithmic axes',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      [WASM, COLOURS.wasm],
      [JS, COLOURS.js],
      ['@noble/ciphers', COLOURS.noble],
      ['sjcl', COLOURS.sjcl],
      ['WebCrypto', COLOURS.native],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: SIZES.map((size) => megabytes(readings.throughput(row('AES-128-GCM', size), name!))),
    }));
    const title = 'AES-128-GCM by length of the message';
    const categories = SIZES.map(sizeName);
    return lines({ title, unit: 'MB/s', categories, series, logarithmic: true }, result);
  },
};

/** Lipmaa's comparison. */
export const plotModes: Plot = {
  name: 'overhead',
  alternative: 'Time of five modes at 16 KiB relative to ECB in the same engine',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const of = (engine: ModesEngine) => {
      const time = (mode: (typeof MODES)[number]) =>
        readings.median(MODES_ROW, modeName(engine, mode));
      const ecb = time('ECB');
      return MODES.map((mode) => {
        const seconds = time(mode);
        return seconds === undefined || ecb === undefined ? undefined : seconds / ecb;
      });
    };
    const series = [
      { name: WASM, colour: COLOURS.wasm, values: of('wasm-simd') },
      { name: JS, colour: COLOURS.js, values: of('js') },
    ];
    const title = 'What a mode costs: time over that of ECB, one engine, 16 KiB';
    return bars({ title, unit: '× the time of ECB', categories: MODES, series }, result);
  },
};
