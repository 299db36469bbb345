import { inV8, timesAsFast, timesTheFastest } from '../figures.ts';
import { WASM_FRESH } from '../names.ts';
import type { Suite } from '../suite.ts';
import { dsaRow, kemRow, NOBLE } from './task.ts';

const ENCAPSULATE = kemRow({ name: 'ML-KEM-768', operation: 'encapsulate' });
const SIGN = dsaRow({ name: 'ML-DSA-65', operation: 'sign' });

export const pq: Suite = {
  name: 'pq',
  title: 'ML-KEM and ML-DSA',
  rows: 'bench/pq/rows.ts',
  // Bytes of the largest public key
  largest: 2_592,
  figures: [ENCAPSULATE, SIGN].flatMap((row) => [
    timesAsFast(row, WASM_FRESH, NOBLE, inV8(3)),
    timesTheFastest(row, WASM_FRESH, 'native', {}),
  ]),
  plots: [],
};
