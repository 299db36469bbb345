import { atMost, inV8, timesAsFast, timesTheFastest, type Figure } from '../figures.ts';
import { WASM_FRESH } from '../names.ts';
import type { Suite } from '../suite.ts';
import { measureGroups } from './groups.ts';
import { dsaRow, kemRow, NOBLE } from './task.ts';

const ENCAPSULATE = kemRow({ name: 'ML-KEM-768', operation: 'encapsulate' });
const SIGN = dsaRow({ name: 'ML-DSA-65', operation: 'sign' });

const GROUPS: readonly Figure[] = [
  atMost(
    'A group of 128: 1 MiB sealed to it over 1 MiB to one key',
    '×',
    { node: 1.2 },
    ({ groups }) => groups?.sealOverOne,
  ),
  atMost(
    'A group of 128: check of 100 epochs',
    'ms',
    { node: 300 },
    ({ groups }) => groups?.checkMs,
  ),
  atMost('A group of 128: 100 epochs read from text', 'ms', {}, ({ groups }) => groups?.readMs),
  atMost('A group of 128: remove one', 'ms', { node: 1_000 }, ({ groups }) => groups?.removeMs),
];

export const pq: Suite = {
  name: 'pq',
  title: 'ML-KEM and ML-DSA',
  rows: 'bench/pq/rows.ts',
  // Bytes of the largest public key
  largest: 2_592,
  figures: [
    ...[ENCAPSULATE, SIGN].flatMap((row) => [
      timesAsFast(row, WASM_FRESH, NOBLE, inV8(3)),
      timesTheFastest(row, WASM_FRESH, 'native', {}),
    ]),
    ...GROUPS,
  ],
  plots: [],
  extras: async () => ({ groups: await measureGroups() }),
};
