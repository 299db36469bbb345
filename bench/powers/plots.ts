import { JS, WASM } from '../names.ts';
import { COLOURS, lines } from '../plot.ts';
import { Readings } from '../result.ts';
import type { Plot } from '../suite.ts';
import { POWER_SIZES } from '../../lab/tasks.ts';
import { powerRow } from './row-key.ts';

/** The sizes of DSA and DH (tables 1 and 3) beside those of RSA (2 and 4); the gap between them ends the lines. */
const COLUMNS = [...POWER_SIZES.slice(4), undefined, ...POWER_SIZES.slice(0, 4)];

export const plotPowers: Plot = {
  name: 'times',
  alternative: "Time of modular exponentiation at Pomcor's eight sizes, on a logarithmic axis",
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      ['sjcl', COLOURS.sjcl],
      ['bn.js', COLOURS.third],
      [JS, COLOURS.js],
      ['native BigInt', COLOURS.noble],
      ['gmp-wasm', COLOURS.second],
      [WASM, COLOURS.wasm],
      ['OpenSSL', COLOURS.native],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: COLUMNS.map((size) => {
        const seconds = size && readings.median(powerRow(size), name!);
        return seconds && 1e3 * seconds;
      }),
    }));
    const categories = COLUMNS.map((size) =>
      size ? `${size.scheme.split(' ')[0]!}\n${size.modulus}\n^ ${size.exponent}` : '',
    );
    const title = 'Modular exponentiation: bits of modulus, ^ bits of exponent';
    return lines({ title, unit: 'ms', categories, series, logarithmic: true }, result);
  },
};
