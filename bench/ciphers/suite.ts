import { rowOverRow, timesAsFast, type Asked, type Figure } from '../figures.ts';
import { JS, WASM } from '../names.ts';
import { rowName, type RowKey } from '../row.ts';
import type { Suite } from '../suite.ts';
import { AES_CTR, cipherRow, CIPHER_SIZES, CIPHERS, WASM_SINGLE } from './task.ts';

const LIPMAA = 128_000;

const everywhere = (value: number): Asked => ({ node: value, chromium: value, firefox: value });

/** Lipmaa's question: OCB's time over ECB's at 8,000 blocks of 16 bytes. His was 1.09. */
function ocbOverEcb(cipher: (typeof CIPHERS)[number], engine: string): Figure {
  const [ocb, ecb] = [cipherRow(cipher, 'OCB', LIPMAA), cipherRow(cipher, 'ECB', LIPMAA)];
  const what = `${rowName(ocb)}: time of ${engine} over time of ECB`;
  return rowOverRow(what, engine, [ocb, ecb], { asked: everywhere(1.09), bound: 'at most' });
}

/** How fast a row is beside AES-128-CTR of the same engine. */
function overAes(row: RowKey, asked: Asked): Figure {
  const aes: RowKey = { ...row, algorithm: AES_CTR };
  const what = `${rowName(row)}: ${WASM} over its ${AES_CTR}`;
  return rowOverRow(what, WASM, [aes, row], { asked, bound: 'at least' });
}

export const ciphers: Suite = {
  name: 'ciphers',
  title: 'Old block ciphers',
  rows: 'bench/ciphers/rows.ts',
  largest: LIPMAA,
  figures: [
    ...CIPHER_SIZES.map((size) =>
      timesAsFast(cipherRow('Twofish', 'ECB', size), JS, 'openpgp', everywhere(1)),
    ),
    ...(['ECB', 'ECB decryption', 'CTR', 'OCB'] as const).map((mode) =>
      timesAsFast(cipherRow('IDEA', mode, LIPMAA), WASM, JS, everywhere(4)),
    ),
    timesAsFast(cipherRow('IDEA', 'ECB', LIPMAA), WASM, WASM_SINGLE, {}),
    ...CIPHERS.filter((cipher) => cipher !== 'IDEA').flatMap((cipher) => [
      ...(['ECB', 'ECB decryption', 'CTR', 'OCB'] as const).map((mode) =>
        timesAsFast(cipherRow(cipher, mode, LIPMAA), WASM, JS, {}),
      ),
      timesAsFast(cipherRow(cipher, 'ECB', LIPMAA), WASM, WASM_SINGLE, {}),
    ]),
    overAes(cipherRow('Serpent', 'CTR', LIPMAA), everywhere(0.55)),
    ...CIPHERS.map((cipher) => ocbOverEcb(cipher, JS)),
    ...CIPHERS.map((cipher) => ocbOverEcb(cipher, WASM)),
  ],
  plots: [],
};
