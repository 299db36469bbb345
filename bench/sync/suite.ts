import { atLeast, atMost, timesAsFast, type Figure } from '../figures.ts';
import { WASM } from '../names.ts';
import type { SyncFigures } from '../result.ts';
import type { Suite } from '../suite.ts';
import { measureHeads } from './heads.ts';
import { runSync } from './run-sync.ts';
import { FIREFOX_SYNC, NOBLE, OPERATIONS, recordRow, SIZES, TOGETHER } from './task.ts';

const KIB = 1024;
const FORMATS = ['weave-5', 'sealwright'];

/** Asked of v5 in Chromium; what else is measured is reported. */
function inBrowser(format: string): Figure[] {
  const isAsked = format === 'weave-5';
  const figure = (
    what: string,
    unit: Figure['unit'],
    asked: number | undefined,
    read: (figures: SyncFigures) => number,
  ): Figure =>
    atLeast(
      `10,000 records of 1 KiB, ${format}: ${what}`,
      unit,
      isAsked && asked !== undefined ? { chromium: asked } : {},
      (extras) => {
        const figures = extras.sync?.find((one) => one.format === format);
        return figures && read(figures);
      },
    );
  return [
    figure('encrypted a second', 'calls', undefined, (one) => one.encryptPerSecond),
    figure('decrypted a second', 'calls', undefined, (one) => one.decryptPerSecond),
    figure('encryptRecords over an echo of the bytes', '×', 0.4, (one) => one.encryptOverEcho),
    figure('decryptRecords over an echo of the bytes', '×', 0.4, (one) => one.decryptOverEcho),
    figure('encryptRecords over single calls', '×', 10, (one) => one.encryptSpeedup),
    figure('decryptRecords over single calls', '×', 10, (one) => one.decryptSpeedup),
  ];
}

const HEADS: readonly Figure[] = [
  atMost(
    'Heads of 10,000 records: head and chunk of a change',
    'bytes',
    { node: 9_000 },
    ({ heads }) => heads?.bytesOfChange,
  ),
  atMost(
    'Heads of 10,000 records of 1 KiB: sync.verify',
    'ms',
    { node: 100 },
    ({ heads }) => heads?.verifyMs,
  ),
];

export const sync: Suite = {
  name: 'sync',
  title: 'Records of sync services',
  rows: 'bench/sync/rows.ts',
  runIn: runSync,
  largest: Math.max(...SIZES),
  figures: [
    ...OPERATIONS.flatMap((operation) => [
      timesAsFast(recordRow(operation, KIB, TOGETHER), WASM, FIREFOX_SYNC, { node: 1 }),
      timesAsFast(recordRow(operation, KIB, TOGETHER), WASM, NOBLE, { node: 3 }),
    ]),
    ...FORMATS.flatMap(inBrowser),
    ...HEADS,
  ],
  plots: [],
  extras: async () => ({ heads: await measureHeads() }),
};
