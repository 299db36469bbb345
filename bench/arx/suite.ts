import { inV8, timesAsFast, type Figure } from '../figures.ts';
import { WASM } from '../names.ts';
import { rowName, type RowKey } from '../row.ts';
import type { Suite } from '../suite.ts';
import { plotArx } from './plots.ts';

const NOBLE = '@noble/ciphers';
const BULK = [1 << 16, 1 << 20];
const row = (algorithm: string, size: number): RowKey => ({ algorithm, size, unit: 'B' });

/** No peer has 12 rounds: ours with 12 beside theirs with 20, as performance was asked for. */
function salsa(size: number): Figure {
  const [twelve, twenty] = [row('Salsa20/12', size), row('Salsa20', size)];
  return {
    what: `${rowName(twelve)}: ${WASM} over ${NOBLE} with 20 rounds`,
    asked: inV8(4),
    bound: 'at least',
    unit: '×',
    uses: [
      { row: twelve, names: [WASM] },
      { row: twenty, names: [WASM, NOBLE] },
    ],
    measure: (readings) => {
      const [ours, theirs] = [readings.median(twelve, WASM), readings.median(twenty, NOBLE)];
      return ours === undefined || theirs === undefined ? undefined : theirs / ours;
    },
  };
}

export const arx: Suite = {
  name: 'arx',
  title: 'ChaCha20, Salsa20 and Poly1305',
  rows: 'bench/arx/rows.ts',
  largest: 1 << 24,
  figures: [
    ...BULK.flatMap((size) => [
      timesAsFast(row('ChaCha20-Poly1305', size), WASM, 'libsodium', inV8(1.8)),
      timesAsFast(row('ChaCha20-Poly1305', size), WASM, NOBLE, inV8(4)),
    ]),
    ...BULK.map(salsa),
  ],
  plots: [plotArx],
};
