/* The suite of block encryption alone. */
import { PACKETS } from '../../lab/tasks.ts';
import { STARK } from '../../lab/printed/stark.ts';
import { timesAsFast, timesTheFastest } from '../figures.ts';
import { JS, WASM } from '../names.ts';
import { bars, COLOURS, lines } from '../plot.ts';
import { Readings } from '../result.ts';
import { sizeName, type RowKey } from '../row.ts';
import type { Plot, Suite } from '../suite.ts';

export const blocksRow = (size: number): RowKey => ({
  algorithm: 'AES-128, block encryption alone',
  size,
  unit: 'B',
});

const TABLE_BYTES = 1 << 16;
const PEERS = ['@noble/ciphers', 'crypto-js', 'node-forge', 'aes-js', 'browserify-aes'] as const;

/** Of each platform the browser of 2009 that it continues. */
const THEN = { node: 'Chrome', chromium: 'Chrome', firefox: 'Firefox 3.5b5' } as const;

/** The improvement of the work: its code over the best library before it. */
const plotTable: Plot = {
  name: 'table',
  alternative: 'Block encryption of AES-128: the libraries of 2009 as printed, and those of today',
  draw: (result) => {
    const table = STARK.tables.find((one) => one.table === 'III')!;
    const column = table.columns.findIndex(([name]) => name === THEN[result.kind]);
    const then = table.rows.map((cells) => [String(cells[0]), Number(cells[column])] as const);
    const readings = new Readings(result.rows);
    const now = [JS, WASM, 'sjcl', ...PEERS].flatMap((name) => {
      const rate = readings.throughput(blocksRow(TABLE_BYTES), name);
      return rate === undefined ? [] : [[name, rate / 1e3] as const];
    });
    const names = [...then, ...now].map(([name]) => name.replace('Sealwright ', ''));
    const none = (count: number) => Array<undefined>(count).fill(undefined);
    const series = [
      {
        name: `2009, ${THEN[result.kind]}`,
        colour: COLOURS.native,
        values: [...then.map(([, rate]) => rate), ...none(now.length)],
      },
      {
        name: 'today',
        colour: COLOURS.wasm,
        values: [...none(then.length), ...now.map(([, rate]) => rate)],
      },
    ];
    const title = `Table III, then and today: block encryption, ${sizeName(TABLE_BYTES)}`;
    const categories = names.map((name) =>
      name
        .replace('@noble/ciphers', 'noble')
        // Two lines, where a name is longer than its place.
        .replace(/ |(?<=r)(?=Sync)|(?<=browserify)(?=-)/, '\n'),
    );
    const chart = { title, unit: 'kB/s', categories, series, logarithmic: true };
    return bars({ ...chart, isSingle: true }, result);
  },
};

/** Figure 3 without a card. */
const plotPackets: Plot = {
  name: 'packets',
  alternative: 'Block encryption of AES-128 at the nine packets of 2013: our engines, sjcl, noble',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const series = [
      [WASM, COLOURS.wasm],
      [JS, COLOURS.js],
      ['sjcl', COLOURS.sjcl],
      ['@noble/ciphers', COLOURS.noble],
      ['node:crypto', COLOURS.native],
    ].map(([name, colour]) => ({
      name: name!,
      colour: colour!,
      values: PACKETS.map((size) => {
        const rate = readings.throughput(blocksRow(size), name!);
        return rate && rate / 1e6;
      }),
    }));
    const title = 'Block encryption by packet';
    const categories = PACKETS.map(sizeName);
    return lines({ title, unit: 'MB/s', categories, series, logarithmic: true }, result);
  },
};

export const blocks: Suite = {
  name: 'blocks',
  title: 'Block encryption alone',
  rows: 'bench/aes/blocks-rows.ts',
  largest: PACKETS.at(-1)!,
  figures: [
    timesAsFast(blocksRow(TABLE_BYTES), JS, 'sjcl', {}),
    timesTheFastest(blocksRow(TABLE_BYTES), JS, 'pure js', {}),
    timesAsFast(blocksRow(TABLE_BYTES), WASM, 'sjcl', {}),
    timesAsFast(blocksRow(PACKETS.at(-1)!), WASM, 'sjcl', {}),
  ],
  plots: [plotTable, plotPackets],
};
