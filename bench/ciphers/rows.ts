import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { oursByBlock, oursJs, openpgp } from './contenders.ts';
import { cipherRow, CIPHER_MODES, CIPHER_SIZES, CIPHERS } from './task.ts';

/* The six old block ciphers of `sealwright/classical`, which continue Lipmaa's library. */
export const rows: MakeRows = ({ largest }) =>
  Promise.resolve(
    CIPHERS.flatMap((cipher) =>
      CIPHER_MODES.flatMap((mode) =>
        CIPHER_SIZES.filter((size) => size <= largest).map((size) =>
          rowOf(
            { ...cipherRow(cipher, mode, size), bytes: size },
            { cipher, mode, plaintext: pattern(size, 3) },
            [oursJs, oursByBlock, openpgp],
          ),
        ),
      ),
    ),
  );
