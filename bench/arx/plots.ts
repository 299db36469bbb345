import { JS, WASM } from '../names.ts';
import { bars, COLOURS } from '../plot.ts';
import { Readings } from '../result.ts';
import type { Plot } from '../suite.ts';
import { ARX_ALGORITHMS } from './task.ts';

export const plotArx: Plot = {
  name: 'ciphers',
  alternative:
    'Throughput of ChaCha20, Salsa20 and their AEADs at 64 KiB: our two engines and peers',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      [WASM, COLOURS.wasm],
      ['libsodium', COLOURS.second],
      [JS, COLOURS.js],
      ['@noble/ciphers', COLOURS.noble],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: ARX_ALGORITHMS.map((algorithm) => {
        const bytes = readings.throughput({ algorithm, size: 1 << 16, unit: 'B' }, name!);
        return bytes && bytes / 1e6;
      }),
    }));
    const title = 'ChaCha20, Salsa20 and Poly1305 at 64 KiB';
    return bars({ title, unit: 'MB/s', categories: ARX_ALGORITHMS, series }, result);
  },
};
