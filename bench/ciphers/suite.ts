import { timesAsFast, type Figure } from '../figures.ts';
import { JS } from '../names.ts';
import { rowName } from '../row.ts';
import type { Suite } from '../suite.ts';
import { cipherRow, CIPHER_SIZES, CIPHERS } from './task.ts';

const LIPMAA = 128_000;

/** OCB's time over ECB's at 8,000 blocks of 16 bytes; reported alone. */
function ocbOverEcb(cipher: (typeof CIPHERS)[number]): Figure {
  const [ocb, ecb] = [cipherRow(cipher, 'OCB', LIPMAA), cipherRow(cipher, 'ECB', LIPMAA)];
  return {
    what: `${rowName(ocb)}: time of ${JS} over time of ECB`,
    ...{ asked: {}, bound: 'at most', unit: '×' },
    uses: [
      { row: ocb, names: [JS] },
      { row: ecb, names: [JS] },
    ],
    measure: (readings) => {
      const [above, below] = [readings.median(ocb, JS), readings.median(ecb, JS)];
      return above === undefined || below === undefined ? undefined : above / below;
    },
  };
}

export const ciphers: Suite = {
  name: 'ciphers',
  title: 'Old block ciphers',
  rows: 'bench/ciphers/rows.ts',
  largest: LIPMAA,
  figures: [
    ...CIPHER_SIZES.map((size) =>
      timesAsFast(cipherRow('Twofish', 'ECB', size), JS, 'openpgp', {
        ...{ node: 1, chromium: 1, firefox: 1 },
      }),
    ),
    ...CIPHERS.map(ocbOverEcb),
  ],
  plots: [],
};
