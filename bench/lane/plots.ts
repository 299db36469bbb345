import { COLOURS, lines } from '../plot.ts';
import { Readings } from '../result.ts';
import { sizeName } from '../row.ts';
import type { Plot } from '../suite.ts';
import { ECHO, JSON_BASE64, laneRow, OURS, TASKS, WEBCRYPTO } from './task.ts';

const SIZES = TASKS.filter((task) => task.operation === 'seal' && task.contextBytes === 0).map(
  ({ bytes }) => bytes,
);
const MB = 1e6;

export const plotLane: Plot = {
  name: 'throughput',
  alternative: 'Throughput of seal by length of the message, on a logarithmic axis',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      [OURS, COLOURS.wasm],
      [WEBCRYPTO, COLOURS.native],
      [ECHO, COLOURS.third],
      [JSON_BASE64, COLOURS.sjcl],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: SIZES.map((bytes) => {
        const throughput = readings.throughput(laneRow('seal', bytes), name!);
        return throughput && throughput / MB;
      }),
    }));
    const title = 'seal: message → sealed message';
    const categories = SIZES.map(sizeName);
    return lines({ title, unit: 'MB/s', categories, series, logarithmic: true }, result);
  },
};
